package edgelist_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.org/mercer/data/graph"
	"example.org/mercer/data/graph/edgelist"
	"example.org/mercer/internal/testkit"
)

func read(t testing.TB, text string) (*graph.Graph, error) {
	t.Helper()
	return edgelist.Read(t.Context(), "net.txt", strings.NewReader(text), edgelist.Options{})
}

func TestRead(t *testing.T) {
	for _, text := range []string{
		"a b 1\nb c 2.5\nc c -1\n",
		"# net\nSource,Target,Weight\na,b,1\nb,c,2.5 % a remark\n\nc,c,-1",
		"a\tb\t1\r\nb\tc\t2.5\r\n c;c ; -1\r\n",
	} {
		g, err := read(t, text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if !cmp.Equal(g.IDs, []string{"a", "b", "c"}) || !cmp.Equal(g.Edges, []graph.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 2}}) || !cmp.Equal(g.Weights, []float64{1, 2.5, -1}) || g.Directed {
			t.Errorf("%q: %+v", text, g)
		}
	}
	g, err := edgelist.Read(t.Context(), "net.txt", strings.NewReader("from to\n1 2"), edgelist.Options{Directed: true})
	if err != nil || !g.Directed || g.Weights != nil || g.Len() != 2 || g.EdgeLines[0] != 2 {
		t.Errorf("%+v, %v", g, err)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "net.txt: holds no edges; write two ids on a line"},
		{"# only a remark", "net.txt: holds no edges; write two ids on a line"},
		{"a b\n\n c", `net.txt: line 3, column 2: "c" is alone on its line, and an edge has two nodes; write two ids; a format with nodes of their own, such as GML, has nodes without edges`},
		{"a b 1 x", `net.txt: line 1, column 7: "x" is one word too many: an edge is two ids and perhaps a weight; keep three columns; ids hold no blanks`},
		{"a b 1\nb c", `net.txt: line 2, column 3: "c" ends a line of 2 words, and line 1 has 3; give a weight to every edge, or to none`},
		{"a b w", `net.txt: line 1, column 5: "w" is not a finite number and cannot be a weight; write a number, or leave the weight out`},
		{"a b nan", `net.txt: line 1, column 5: "nan" is not a finite number and cannot be a weight; write a number, or leave the weight out`},
		{"a \xff", `net.txt: line 1, column 1: "a" stands on a line that is not UTF-8 text; save the file as UTF-8`},
	} {
		if _, err := read(t, c.text); err == nil || err.Error() != c.want {
			t.Errorf("%q:\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

// TestCut cuts a file at every byte: a shorter graph, or an error that names the file.
func TestCut(t *testing.T) {
	const whole = "source target weight\nanna ben 2.5\nben carl 10\n"
	for n := range len(whole) {
		g, err := read(t, whole[:n])
		if err != nil && !strings.HasPrefix(err.Error(), "net.txt") {
			t.Errorf("%d bytes: %v", n, err)
		}
		if err == nil && len(g.Edges) > 2 {
			t.Errorf("%d bytes: %d edges", n, len(g.Edges))
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := edgelist.Read(ctx, "net.txt", strings.NewReader("a b"), edgelist.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestCora reads the citations of 2708 papers.
func TestCora(t *testing.T) {
	f, err := os.Open(testkit.Shared(t, "graphs/cora/cora_edgelist.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := edgelist.Read(t.Context(), "cora_edgelist.txt", f, edgelist.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, components := g.Adjacency(false).Components()
	if g.Len() != 2708 || len(g.Edges) != 5429 || components != 78 {
		t.Errorf("%d nodes, %d edges, %d components", g.Len(), len(g.Edges), components)
	}
}

// FuzzRead wants a graph with edges or an error that names the file.
func FuzzRead(f *testing.F) {
	f.Add("a b 1\n# x\nb c 2\n")
	f.Add("source,target\n1,2")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := read(t, text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "net.txt") {
				t.Fatalf("%v does not name the file", err)
			}
			return
		}
		if len(g.Edges) == 0 || g.Table().Rows() != g.Len() {
			t.Fatalf("%+v", g)
		}
	})
}

func ExampleRead() {
	file := strings.NewReader("anna ben 2.5\nben carl 1\n")
	g, err := edgelist.Read(context.Background(), "friends.txt", file, edgelist.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(g.IDs, g.Weights)
	// Output: [anna ben carl] [2.5 1]
}
