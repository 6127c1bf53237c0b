package jsonl_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/jsonl"
)

const ethanol = `{"nodes":3,"edges":[[0,1],[1,2]],"edge":{"order":[1,null]},"node":{"label":["C","C","O"]}}`

func TestParse(t *testing.T) {
	g, err := jsonl.Parse(ethanol)
	if err != nil {
		t.Fatal(err)
	}
	if g.Len() != 3 || g.Directed || len(g.Edges) != 2 || g.Edges[1] != (graph.Edge{From: 1, To: 2}) || g.IDs[2] != "2" {
		t.Errorf("%+v", g)
	}
	if diff := cmp.Diff([]string{"C", "C", "O"}, g.Nodes[0].Strings); diff != "" {
		t.Error(diff)
	}
	if c := g.Labels[0]; c.Kind != data.Numeric || c.Numbers[0] != 1 || !c.IsMissing(1) || !math.IsNaN(c.Numbers[1]) {
		t.Errorf("%+v", c)
	}
}

// drawn makes any graph that can be written.
func drawn(t *rapid.T) *graph.Graph {
	n := rapid.IntRange(0, 6).Draw(t, "nodes")
	ids := rapid.SliceOfNDistinct(rapid.String(), n, n, func(s string) string { return strings.ToValidUTF8(s, "\ufffd") }).Draw(t, "ids")
	for i := range ids {
		ids[i] = strings.ToValidUTF8(ids[i], "\ufffd")
	}
	var edges []graph.Edge
	var weights []float64
	if n > 0 {
		for range rapid.IntRange(0, 8).Draw(t, "edges") {
			edges = append(edges, graph.Edge{From: rapid.Int32Range(0, int32(n)-1).Draw(t, "from"), To: rapid.Int32Range(0, int32(n)-1).Draw(t, "to")})
			weights = append(weights, rapid.Float64Range(-1e300, 1e300).Draw(t, "weight"))
		}
	}
	if rapid.Bool().Draw(t, "unweighted") {
		weights = nil
	}
	g, err := graph.New("drawn", rapid.Bool().Draw(t, "directed"), ids, edges, weights)
	if err != nil {
		t.Fatal(err)
	}
	g.Nodes = []data.Column{{Name: "z", Kind: data.Numeric, Numbers: rapid.SliceOfN(rapid.Float64Range(-9, 9), n, n).Draw(t, "z")}, {Name: "a", Kind: data.Text, Strings: ids}}
	return g
}

// TestRoundTrip writes and reads any graph: the text comes back, and the graph up to the
// order of its attributes.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t)
		text, err := jsonl.Format(g)
		if err != nil {
			t.Fatal(err)
		}
		again, err := jsonl.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		back, err := jsonl.Format(again)
		if err != nil || back != text {
			t.Fatalf("%s became %s, %v", text, back, err)
		}
		if g.Directed != again.Directed || fmt.Sprint(g.IDs) != fmt.Sprint(again.IDs) || fmt.Sprint(g.Edges) != fmt.Sprint(again.Edges) || len(g.Edges) > 0 && !cmp.Equal(g.Weights, again.Weights) {
			t.Fatalf("%s: %+v became %+v", text, g, again)
		}
	})
}

func TestFormatRefuses(t *testing.T) {
	g := &graph.Graph{Source: "g", IDs: []string{"0"}, Nodes: []data.Column{{Name: "x", Numbers: []float64{math.Inf(1)}}}}
	if _, err := jsonl.Format(g); err == nil || !strings.Contains(err.Error(), "x of node 0 is +Inf") {
		t.Error(err)
	}
}

func TestRead(t *testing.T) {
	table, err := jsonl.Read(t.Context(), "g.jsonl", strings.NewReader(ethanol+"\n\n  "+`{"id":"x","class":"b","nodes":["u","v"],"edges":[],"directed":true}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if table.ID != "id" || table.Target != "class" || table.Rows() != 2 || !cmp.Equal(table.Lines, []int{1, 3}) {
		t.Errorf("%+v", table)
	}
	for i, want := range [][]string{{"1", "x"}, {ethanolCell, `{"directed":true,"nodes":["u","v"],"edges":[]}`}, {"", "b"}} {
		if !cmp.Equal(table.Columns[i].Strings, want) {
			t.Errorf("column %d: %q", i, table.Columns[i].Strings)
		}
	}
	if !table.Columns[2].IsMissing(0) {
		t.Error("the first line has no class")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := jsonl.Read(ctx, "g.jsonl", strings.NewReader(ethanol), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

const ethanolCell = `{"nodes":3,"edges":[[0,1],[1,2]],"node":{"label":["C","C","O"]},"edge":{"order":[1,null]}}`

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "g: holds no graphs; write one graph a line",
		`{"nodes":2,"edges":[[0,2]]}`:        "g: line 1: edge 0 joins nodes 0 and 2, and there are 2, counted from 0; add the node, or remove the edge",
		`{"nodes":2,"edges":[[0]]}`:          "g: line 1: edge 0 has 1 ends; write the positions of its two nodes, counted from 0",
		`{"edges":[]}`:                       `g: line 1: does not say how many nodes there are; write "nodes":3, or the list of their ids`,
		`{"nodes":99999999999}`:              `g: line 1: has 99999999999 nodes without ids; at most 4194304 are numbered; write "nodes":3, or the list of their ids`,
		`{"nodes":1} {"nodes":2}`:            `g: line 1, column 13: "{\"nodes\":2}" follows the graph on its line; write one graph a line`,
		`{"nodes":["a","a"]}`:                `g: line 1: is no graph: graph: g: nodes 0 and 1 have the same id "a"; ids must differ`,
		"\n" + `{"nodes":1,`:                 `g: line 2: is no graph in JSON: unexpected EOF; write {"nodes":2,"edges":[[0,1]]}, one graph a line`,
		`{"nodes":1,"node":{"a":[1,"b"]}}`:   `g: line 1: the attribute "a" of the nodes is no list of strings or of numbers; give every attribute a list of strings or numbers, null where there is no value`,
		`{"nodes":1,"node":{"a":["b","c"]}}`: `g: line 1: the attribute "a" has 2 values for 1 nodes; give every attribute a list of strings or numbers, null where there is no value`,
		`{"nodes":1,"edges":[[0,"a"]]}`:      `g: line 1, column 26: is no graph in JSON: edges cannot be a string; write {"nodes":2,"edges":[[0,1]]}, one graph a line`,
		`{"nodes":1,"weight":[]}`:            `g: line 1: is no graph in JSON: json: unknown field "weight"; write {"nodes":2,"edges":[[0,1]]}, one graph a line`,
	} {
		if _, err := jsonl.Read(t.Context(), "g", strings.NewReader(text), nil); err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", text, err, want)
		}
	}
}

// TestCut cuts a line at every byte: only the whole line is a graph.
func TestCut(t *testing.T) {
	for n := 1; n < len(ethanol); n++ {
		if _, err := jsonl.Read(t.Context(), "g", strings.NewReader(ethanol[:n]), nil); err == nil || !strings.HasPrefix(err.Error(), "g: line 1") {
			t.Fatalf("%s: %v", ethanol[:n], err)
		}
	}
}

// FuzzRead wants cells that read back to themselves or an error that names the file.
func FuzzRead(f *testing.F) {
	f.Add(ethanol)
	f.Add(`{"id":"x","class":"b","nodes":["u","v"],"edges":[],"directed":true}`)
	f.Fuzz(func(t *testing.T, text string) {
		table, err := jsonl.Read(t.Context(), "g", strings.NewReader(text), nil)
		if err != nil {
			if !strings.Contains(err.Error(), "g: ") {
				t.Fatal(err)
			}
			return
		}
		for _, cell := range table.Columns[1].Strings {
			g, err := jsonl.Parse(cell)
			if err != nil {
				t.Fatalf("%s: %v", cell, err)
			}
			if again, err := jsonl.Format(g); err != nil || again != cell {
				t.Fatalf("%s became %s, %v", cell, again, err)
			}
		}
	})
}

func ExampleWrite() {
	g, err := graph.New("water", false, []string{"H1", "O", "H2"}, []graph.Edge{{From: 0, To: 1}, {From: 1, To: 2}}, nil)
	if err != nil {
		panic(err)
	}
	if err := jsonl.Write(os.Stdout, []*graph.Graph{g}, []string{"water"}, []string{"liquid"}); err != nil {
		panic(err)
	}
	// Output: {"id":"water","class":"liquid","nodes":["H1","O","H2"],"edges":[[0,1],[1,2]]}
}
