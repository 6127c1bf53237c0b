package gml_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/gml"
	"example.org/mercer/data/graph/jsonl"
	"example.org/mercer/internal/testkit"
)

// small has every construct of the format.
const small = `Creator "by hand" # a comment
Version 1
graph [
  directed 1
  label "net"
  comment [ by [ name "x" ] ]
  node [ id 1 label "caf&#233; &amp; bar" value 1.5 graphics [ x 2 w [ h 3 ] ] ]
  node
  [
    id -2
    label "b"
  ]
  edge [ source 1 target -2 weight 2e1 kind "k" ]
  edge [ target 1 source 1 weight -1 ]
]
`

func read(t testing.TB, text string) (*graph.Graph, error) {
	t.Helper()
	all, err := gml.Read(t.Context(), "net.gml", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

func TestRead(t *testing.T) {
	g, err := read(t, small)
	if err != nil {
		t.Fatal(err)
	}
	if !g.Directed || !cmp.Equal(g.IDs, []string{"1", "-2"}) || !cmp.Equal(g.Edges, []graph.Edge{{From: 0, To: 1}, {From: 0, To: 0}}) || !cmp.Equal(g.Weights, []float64{20, -1}) {
		t.Errorf("%+v", g)
	}
	if !cmp.Equal(g.Lines, []int{7, 10}) || !cmp.Equal(g.EdgeLines, []int{13, 14}) {
		t.Errorf("lines %v, %v", g.Lines, g.EdgeLines)
	}
	var names []string
	for _, c := range append(g.Nodes, g.Labels...) {
		names = append(names, fmt.Sprint(c.Name, " ", c.Kind))
	}
	if want := []string{"label text", "value numeric", "graphics.x numeric", "graphics.w.h numeric", "kind text"}; !cmp.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if got := g.Nodes[0].Strings[0]; got != "café & bar" {
		t.Error(got)
	}
}

func TestTwoGraphs(t *testing.T) {
	all, err := gml.Read(t.Context(), "net.gml", strings.NewReader(small+small), nil)
	if err != nil || len(all) != 2 {
		t.Errorf("%d graphs, %v", len(all), err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "net.gml: holds no graph; a GML file has a list: graph [ node [ id 1 ] … ]"},
		{"graph [ node [ id 1 ] node [ id 1 ] ]", `net.gml: line 1, column 33: "1" is the id of two nodes, the first on line 1; give every node an id of its own`},
		{"graph [\n node [ id 1 ]\n edge [ source 1 target 7 ] ]", `net.gml: line 3, column 16: "7" is the end of an edge and the id of no node; declare the node, or remove the edge`},
		{"graph [ node [ label \"x\" ] ]", "net.gml: line 1, column 9: the node has no id; add: id 1"},
		{"graph [ node [ id 1 ] edge [ source 1 ] ]", "net.gml: line 1, column 23: the edge has no source or no target; add: source 1 target 2"},
		{"graph [ node 1 ]", `net.gml: line 1, column 14: "1" is not a list, which a node must be; write node [ … ]`},
		{"graph [ node [ id 1 id 2 ] ]", `net.gml: line 1, column 21: "id" is given twice; keep one of the two`},
		{"graph [ node [ id 1 x ] ]", `net.gml: line 1, column 21: "x" is a key without a value; write a number, a text in quotes, or a list in brackets after it`},
		{"graph [ node [ id 1 ]", `net.gml: line 1, column 1: "graph" is a list that is not closed; add ]; the file may have been cut`},
		{"graph [ node [ id 1 label \"x ] ]", `net.gml: line 1, column 27: a string begins here and does not end; close it with "`},
		{"graph [ directed yes ]", `net.gml: line 1, column 9: "directed" is a key without a value; write a number, a text in quotes, or a list in brackets after it`},
		{"graph [ directed 2 ]", `net.gml: line 1, column 18: "2" is not a direction; write directed 1, or directed 0`},
		{"graph [ node [ id 1.2.3 ] ]", `net.gml: line 1, column 19: "1.2.3" is not a number; put texts in quotes`},
		{"graph [ n-de [ ] ]", `net.gml: line 1, column 9: "n-de" is neither a key nor a number; keys are letters and digits; put texts in quotes`},
		{"] graph", `net.gml: line 1, column 1: "]" stands where a key should`},
		{"graph [ ]", "net.gml: holds a graph without nodes; give a graph with at least one node"},
		{"graph [ node [ id 1 ] edge [ source 1 target 1 weight \"x\" ] ]", `net.gml: line 1, column 55: "x" is not a finite number and cannot be a weight; write a number, or leave the weight out`},
		{"graph [ node [ id 1 label \"\xff\" ] ]", `net.gml: line 1, column 27: "\xff" is not UTF-8 text; save the file as UTF-8, or write the character as &#233;`},
		{"graph [" + strings.Repeat(" a [", 100), `net.gml: line 1, column 267: "[" opens more than 64 lists in one another`},
	} {
		if _, err := read(t, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%.40q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestCut cuts a file at every byte: until the last bracket it must be an error.
func TestCut(t *testing.T) {
	whole := strings.TrimRight(small, "\n")
	for n := range len(whole) {
		_, err := read(t, whole[:n])
		var bad *data.Error
		if !errors.As(err, &bad) || bad.Source != "net.gml" {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := gml.Read(ctx, "net.gml", strings.NewReader(small), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestKarate reads Zachary's karate club: 34 members, 78 ties.
func TestKarate(t *testing.T) {
	f, err := os.Open(testkit.Shared(t, "graphs/karate/karate.gml"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := gml.Read(t.Context(), "karate.gml", f, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := all[0]
	if len(all) != 1 || g.Len() != 34 || len(g.Edges) != 78 || g.Directed || g.Weights != nil || len(g.Nodes) != 1 || g.Nodes[0].Name != "groundTruth" {
		t.Errorf("%d graphs; %d nodes, %d edges, attributes %+v", len(all), g.Len(), len(g.Edges), g.Nodes)
	}
}

// FuzzRead wants a graph with nodes or an error that names the file.
func FuzzRead(f *testing.F) {
	f.Add(small)
	f.Add("graph [ node [ id 1 ] ]")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := gml.Read(t.Context(), "net.gml", strings.NewReader(text), nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "net.gml") {
				t.Fatalf("%v does not name the file", err)
			}
			return
		}
		for _, g := range all {
			if g.Len() == 0 || g.Table().Rows() != g.Len() {
				t.Fatalf("%+v", g)
			}
			written, err := jsonl.Format(g)
			if err != nil {
				if !strings.Contains(err.Error(), "JSON cannot hold") {
					t.Fatal(err)
				}
				continue
			}
			back, err := jsonl.Parse(written)
			if err != nil {
				t.Fatalf("%s: %v", written, err)
			}
			if again, err := jsonl.Format(back); err != nil || again != written {
				t.Fatalf("%s became %s, %v", written, again, err)
			}
		}
	})
}
