package graph_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
)

// TestBuilder gathers nodes after their edges, attributes of mixed kinds, and missing ones.
func TestBuilder(t *testing.T) {
	b := graph.NewBuilder("net", false)
	e := b.Edge("a", "b", graph.Place{Line: 1})
	if err := b.Weigh(e, "2.5", graph.Place{Line: 1}); err != nil {
		t.Fatal(err)
	}
	for i, id := range []string{"a", "b", "c"} {
		n, err := b.Node(id, graph.Place{Line: 2 + i})
		if err != nil || n != i {
			t.Fatal(n, err)
		}
	}
	for _, v := range []struct {
		node    int
		name    string
		numeric bool
		text    string
	}{{0, "age", true, "34"}, {2, "age", true, "2.5e1"}, {0, "sex", false, "m"}, {1, "sex", false, "m"}, {2, "sex", false, "f"}} {
		if err := b.NodeAttribute(v.node, v.name, graph.Value{Text: v.text, Numeric: v.numeric}, graph.Place{}); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if g.Len() != 3 || g.Weight(0) != 2.5 || g.Edges[0] != (graph.Edge{From: 0, To: 1}) || !cmp.Equal(g.Lines, []int{2, 3, 4}) {
		t.Errorf("%+v", g)
	}
	table := g.Table()
	if table.ID != "id" || table.Rows() != 3 || len(table.Columns) != 3 {
		t.Fatalf("%+v", table)
	}
	age, sex := table.Columns[1], table.Columns[2]
	if age.Kind != data.Numeric || age.Numbers[0] != 34 || !math.IsNaN(age.Numbers[1]) || !age.IsMissing(1) || age.Numbers[2] != 25 {
		t.Errorf("%+v", age)
	}
	if sex.Kind != data.Categorical || sex.Missing != nil || !cmp.Equal(sex.Strings, []string{"m", "m", "f"}) {
		t.Errorf("%+v", sex)
	}
	if got := g.Where(0); got != `net: line 1: the edge "a" – "b"` {
		t.Error(got)
	}
}

// TestTableKeepsAnAttributeCalledID gives the column of ids another name.
func TestTableKeepsAnAttributeCalledID(t *testing.T) {
	b := graph.NewBuilder("net", false)
	n, _ := b.Node("a", graph.Place{})
	if err := b.NodeAttribute(n, "id", graph.Value{Text: "x"}, graph.Place{}); err != nil {
		t.Fatal(err)
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if table := g.Table(); table.ID != "id_" || table.Columns[0].Name != "id_" || table.Columns[1].Strings[0] != "x" {
		t.Errorf("%+v", table)
	}
}

func TestBuilderErrors(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(b *graph.Builder) error
		want  string
	}{
		{"none", func(b *graph.Builder) error { return nil }, "net: holds a graph without nodes; give a graph with at least one node"},
		{"dangling", func(b *graph.Builder) error {
			b.Edge("a", "z", graph.Place{Line: 4, Column: 2})
			_, err := b.Node("a", graph.Place{})
			return err
		}, `net: line 4, column 2: "z" is the end of an edge and the id of no node; declare the node, or remove the edge`},
		{"twice", func(b *graph.Builder) error {
			b.Node("a", graph.Place{Line: 1})
			_, err := b.Node("a", graph.Place{Line: 2, Column: 3})
			return err
		}, `net: line 2, column 3: "a" is the id of two nodes, the first on line 1; give every node an id of its own`},
		{"weights", func(b *graph.Builder) error {
			b.Known("a", graph.Place{})
			b.Edge("a", "a", graph.Place{})
			return b.Weigh(b.Edge("a", "a", graph.Place{}), "1", graph.Place{})
		}, "net: gives a weight to 1 of 2 edges; give one to every edge, or to none"},
		{"infinite", func(b *graph.Builder) error {
			return b.Weigh(b.Edge("a", "a", graph.Place{}), "1e999", graph.Place{Line: 1})
		}, `net: line 1: "1e999" is not a finite number and cannot be a weight; write a number, or leave the weight out`},
		{"attribute", func(b *graph.Builder) error {
			n, _ := b.Node("a", graph.Place{})
			b.NodeAttribute(n, "x", graph.Value{Text: "1"}, graph.Place{})
			return b.NodeAttribute(n, "x", graph.Value{Text: "2"}, graph.Place{Line: 5})
		}, `net: line 5: "x" is given twice; keep one of the two`},
		{"number", func(b *graph.Builder) error {
			return b.NodeAttribute(0, "x", graph.Value{Text: "1,5", Numeric: true}, graph.Place{Line: 5})
		}, `net: line 5: "1,5" is not a number, and the attribute "x" holds numbers; correct it, or declare the attribute a string`},
	} {
		b := graph.NewBuilder("net", false)
		err := c.build(b)
		if err == nil {
			_, err = b.Build()
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v\nwant %s", c.name, err, c.want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	for _, c := range []struct {
		ids     []string
		edges   []graph.Edge
		weights []float64
		want    string
	}{
		{[]string{"a", "b", "a"}, nil, nil, "same id"},
		{[]string{"a"}, []graph.Edge{{From: 0, To: 1}}, nil, "there are 1"},
		{nil, []graph.Edge{{From: 0, To: -1}}, nil, "-1"},
		{nil, []graph.Edge{{From: 0, To: 1}}, []float64{math.NaN()}, "NaN"},
		{nil, []graph.Edge{{From: 0, To: 1}}, []float64{1, 2}, "2 weights for 1 edges"},
	} {
		if _, err := graph.New("net", false, c.ids, c.edges, c.weights); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c, err, c.want)
		}
	}
}

// drawn returns a random graph with loops and parallel edges.
func drawn(t *rapid.T, directed bool) *graph.Graph {
	n := rapid.IntRange(1, 12).Draw(t, "nodes")
	ids := make([]string, n)
	for i := range ids {
		ids[i] = string(rune('a' + i))
	}
	edges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) graph.Edge {
		return graph.Edge{From: rapid.Int32Range(0, int32(n-1)).Draw(t, "from"), To: rapid.Int32Range(0, int32(n-1)).Draw(t, "to")}
	}), 0, 30).Draw(t, "edges")
	g, err := graph.New("drawn", directed, ids, edges, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestAdjacency counts the arcs between every two nodes.
func TestAdjacency(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t, rapid.Bool().Draw(t, "directed"))
		directed := rapid.Bool().Draw(t, "keep")
		adj := g.Adjacency(directed)
		want := make(map[graph.Edge]int)
		for _, e := range g.Edges {
			want[e]++
			if e.From != e.To && !(directed && g.Directed) {
				want[graph.Edge{From: e.To, To: e.From}]++
			}
		}
		got := make(map[graph.Edge]int)
		for i := range int32(g.Len()) {
			last := int32(-1)
			for k := adj.Start[i]; k < adj.Start[i+1]; k++ {
				j := adj.Node[k]
				if j < last {
					t.Fatalf("neighbours of %d are not ascending: %v", i, adj)
				}
				last = j
				got[graph.Edge{From: i, To: j}]++
				if e := g.Edges[adj.Edge[k]]; e != (graph.Edge{From: i, To: j}) && e != (graph.Edge{From: j, To: i}) {
					t.Fatalf("arc %d → %d is by edge %v", i, j, e)
				}
			}
		}
		if !cmp.Equal(got, want) {
			t.Fatalf("arcs %v, want %v", got, want)
		}
	})
}

// TestComponents compares with reachability by Warshall's closure.
func TestComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawn(t, false)
		n := g.Len()
		reach := make([][]bool, n)
		for i := range reach {
			reach[i] = make([]bool, n)
			reach[i][i] = true
		}
		for _, e := range g.Edges {
			reach[e.From][e.To], reach[e.To][e.From] = true, true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		of, count := g.Adjacency(false).Components()
		most := int32(-1)
		for i := range n {
			if of[i] > most+1 {
				t.Fatalf("components %v are not numbered in the order of their first nodes", of)
			}
			most = max(most, of[i])
			for j := range n {
				if (of[i] == of[j]) != reach[i][j] {
					t.Fatalf("components %v, reach %v", of, reach)
				}
			}
		}
		if count != int(most)+1 {
			t.Fatalf("%d components of %v", count, of)
		}
	})
}
