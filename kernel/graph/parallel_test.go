package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	kgraph "example.org/mercer/kernel/graph"
)

// twice lists every edge a second time, with the same attributes and, in an undirected graph, from
// the other end.
func twice(t *testing.T, g *graph.Graph) *graph.Graph {
	t.Helper()
	edges := slices.Clone(g.Edges)
	for _, e := range g.Edges {
		if !g.Directed {
			e.From, e.To = e.To, e.From
		}
		edges = append(edges, e)
	}
	out, err := graph.New("twice", g.Directed, g.IDs, edges, nil)
	if err != nil {
		t.Fatal(err)
	}
	out.Nodes = g.Nodes
	for _, c := range g.Labels {
		c.Strings, c.Numbers = slices.Concat(c.Strings, c.Strings), slices.Concat(c.Numbers, c.Numbers)
		out.Labels = append(out.Labels, c)
	}
	return out
}

// TestEdgesListedTwice compares every kernel on graphs that list each edge twice with the simple
// graphs, pair by pair and bound.
func TestEdgesListedTwice(t *testing.T) {
	for _, directed := range []bool{false, true} {
		r := rand.New(rand.NewPCG(21, 22))
		var once, again data.Slice[*graph.Graph]
		for range 8 {
			g := molecule(t, r, directed)
			once, again = append(once, g), append(again, twice(t, g))
		}
		for _, text := range expressions {
			if strings.Contains(text, "parallel=count") {
				continue
			}
			k, err := parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if err := kernel.Validate(k, again); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			equal(t, text, k, k, once, again)
		}
	}
}

// equal compares the values of k on xs with those of l on ys.
func equal(t *testing.T, what string, k, l kernel.Kernel[*graph.Graph], xs, ys data.Slice[*graph.Graph]) {
	t.Helper()
	n := xs.Len()
	want, got := kernel.NewTile(n, n), kernel.NewTile(n, n)
	kernel.Bind(k, xs, xs).Tile(want, 0, 0)
	kernel.Bind(l, ys, ys).Tile(got, 0, 0)
	for i := range n {
		for j := range n {
			a, b, c := want.Row(i)[j], got.Row(i)[j], l.Eval(ys[i], ys[j])
			if tol := 1e-12 * (1 + math.Abs(a)); !(math.Abs(a-b) <= tol) || !(math.Abs(a-c) <= tol) {
				t.Fatalf("%s: element (%d, %d) is %v, bound %v, pair by pair %v", what, i, j, a, b, c)
			}
		}
	}
}

// TestParallelEdgesCount: with parallel=count, walks of k edges are 2ᵏ times as many where each
// edge is listed twice, so that the kernel is 4ᵏ times as large.
func TestParallelEdgesCount(t *testing.T) {
	g := labelled(t, false, "CCO", graph.Edge{From: 0, To: 1}, graph.Edge{From: 1, To: 2}, graph.Edge{From: 0, To: 2})
	for _, label := range []string{"atom", "none", "degree"} {
		k, err := parse(fmt.Sprintf("walk(k=3, label=%q, parallel=count)", label))
		if err != nil {
			t.Fatal(err)
		}
		if one, two := k.Eval(g, g), k.Eval(twice(t, g), twice(t, g)); two != 64*one || one == 0 {
			t.Errorf("label %s: %v, and %v with each edge twice", label, one, two)
		}
	}
	if _, err := parse("wl(h=1, parallel=sum)"); err == nil || !strings.Contains(err.Error(), "use merge or count") {
		t.Errorf("parallel=sum: %v", err)
	}
}

// TestParallelEdgesThatDiffer: a single and a double bond between the same atoms are two edges for
// a kernel that looks at bonds, and one for others.
func TestParallelEdgesThatDiffer(t *testing.T) {
	edge := graph.Edge{From: 0, To: 1}
	one, two := labelled(t, false, "CC", edge), labelled(t, false, "CC", edge, edge)
	one.Labels = []data.Column{{Name: "bond", Kind: data.Text, Strings: []string{"single"}}}
	two.Labels = []data.Column{{Name: "bond", Kind: data.Text, Strings: []string{"single", "double"}}}
	for _, c := range []struct {
		text string
		want float64
	}{{`edges(label="bond")`, 2}, {`edges`, 1}, {`wl(h=1, edges="bond")`, 8}, {`walk(k=1)`, 4}} {
		k, err := parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Eval(two, two); got != c.want {
			t.Errorf("%s: %v, want %v", c.text, got, c.want)
		}
	}
	if got := two.Parallel(); got != 1 || one.Parallel() != 0 {
		t.Errorf("%d parallel edges", got)
	}
}

// TestDegreeLabels compares label="degree" with labels of degrees that are written out.
func TestDegreeLabels(t *testing.T) {
	for _, directed := range []bool{false, true} {
		r := rand.New(rand.NewPCG(23, 24))
		var plain, written data.Slice[*graph.Graph]
		for range 10 {
			g := molecule(t, r, directed)
			g.Nodes = nil
			h := *g
			h.Nodes = []data.Column{{Name: "written", Kind: data.Text, Strings: degreesOf(g)}}
			plain, written = append(plain, g), append(written, &h)
		}
		for _, text := range []string{"walk(k=2, label=%q)", "randomwalk(lambda=0.01, label=%q)", "randomwalk(lambda=0.1, series=exponential, label=%q)",
			"sp(label=%q)", "wl(h=2, label=%q)", "wl(h=2, label=%q, edges=\"bond\")", "vertices(label=%q)", "normalize(of=wl(h=1, label=%q))"} {
			k, err := parse(fmt.Sprintf(text, "degree"))
			if err != nil {
				t.Fatal(err)
			}
			l, err := parse(fmt.Sprintf(text, "written"))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, text, k, l, plain, written)
		}
	}
}

// degreesOf counts neighbours by definition: of every node, whether there is an edge.
func degreesOf(g *graph.Graph) []string {
	out := make([]string, g.Len())
	for v := range out {
		to, from := 0, 0
		for w := range g.Len() {
			if slices.Contains(g.Edges, graph.Edge{From: int32(v), To: int32(w)}) {
				to++
			} else if !g.Directed && slices.Contains(g.Edges, graph.Edge{From: int32(w), To: int32(v)}) {
				to++
			}
			if slices.Contains(g.Edges, graph.Edge{From: int32(w), To: int32(v)}) {
				from++
			}
		}
		if out[v] = fmt.Sprint(to); g.Directed {
			out[v] = fmt.Sprintf("%d/%d", from, to)
		}
	}
	return out
}

// TestAttributeOfDegrees: an attribute of this name is what is meant where there is one.
func TestAttributeOfDegrees(t *testing.T) {
	g := labelled(t, false, "CO", graph.Edge{From: 0, To: 1})
	g.Nodes[0].Name = "degree"
	if got, err := kgraph.Labels(g, kgraph.DegreeLabel); err != nil || got[0] != "C" || got[1] != "O" {
		t.Errorf("%v, %v", got, err)
	}
}
