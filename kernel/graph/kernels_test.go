package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	kgraph "example.org/mercer/kernel/graph"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
)

// expressions are kernels on graphs whose nodes have the attribute atom and whose edges
// have bond. Nodes have the numbers x and y, edges length.
var expressions = []string{
	`walk(k=0, label="atom")`, `walk(k=3, label="atom")`, `walk(k=2)`,
	`randomwalk(lambda=0.02)`, `randomwalk(lambda=0.03, label="atom")`, `randomwalk(lambda=0.5, series=exponential)`, `randomwalk(lambda=0.5, series=exponential, label="atom")`,
	`vertices(label="atom")`, `vertices`, `edges(label="bond")`, `edges`,
	`wl(h=0, label="atom")`, `wl(h=1)`, `wl(h=2, label="atom")`, `wl(h=3, label="atom", edges="bond")`,
	`sp(label="atom")`, `sp`, `graphlets(size=3)`, `graphlets(size=4)`,
	`normalize(of=wl(h=2, label="atom"))`,
	`walk(k=1, node=linear())`, `walk(k=3, label="atom", node=rbf(sigma=1), edge=rbf(sigma=0.5))`, `walk(k=2, edge=poly(degree=2, offset=1))`,
	`randomwalk(lambda=0.01, label="atom", node=rbf(sigma=1)[1])`, `randomwalk(lambda=0.02, series=exponential, node=linear(), edge=linear())`,
	`sp(node=rbf(sigma=1))`, `sp(label="atom", node=linear())`,
	`walk(k=2, label="degree", parallel=count)`, `wl(h=2, label="atom", edges="bond", parallel=count)`, `edges(label="bond", parallel=count)`,
	`randomwalk(lambda=0.01, label="degree", parallel=count)`,
}

func parse(text string) (kernel.Kernel[*graph.Graph], error) {
	return expr.ParseKernel(text, kgraph.Dictionary(vec.Dictionary(vec.Schema{})))
}

// molecule makes a random graph with up to 6 nodes, labels of nodes and of edges.
func molecule(t testing.TB, r *rand.Rand, directed bool) *graph.Graph {
	t.Helper()
	n := r.IntN(7)
	var edges []graph.Edge
	var bonds []string
	for i := range n {
		for j := range n {
			if (directed || j <= i) && r.IntN(3) == 0 {
				edges = append(edges, graph.Edge{From: int32(i), To: int32(j)})
				bonds = append(bonds, []string{"single", "double"}[r.IntN(2)])
			}
		}
	}
	atoms := ""
	for range n {
		atoms += string("CO"[r.IntN(2)])
	}
	g := labelled(t, directed, atoms, edges...)
	if n == 0 {
		g.Nodes[0].Strings = nil
	}
	g.Labels = []data.Column{{Name: "bond", Kind: data.Text, Strings: bonds}, {Name: "length", Kind: data.Numeric, Numbers: numbers(r, len(edges))}}
	for _, name := range []string{"y", "x"} {
		g.Nodes = append(g.Nodes, data.Column{Name: name, Kind: data.Numeric, Numbers: numbers(r, n)})
	}
	return g
}

// numbers draws quarters between −1 and 1.
func numbers(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(r.IntN(9)-4) / 4
	}
	return out
}

func TestSuites(t *testing.T) {
	for _, directed := range []bool{false, true} {
		r := rand.New(rand.NewPCG(5, 6))
		var points []*graph.Graph
		count := 20
		if testing.Short() {
			count = 8 // the suite compares all pairs, some of them in many ways
		}
		for range count {
			points = append(points, molecule(t, r, directed))
		}
		points = append(points, points[3], points[0])
		for _, text := range expressions {
			k, err := parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if k.String() != text {
				t.Errorf("%s is written %s", text, k)
			}
			kerneltest.Run(t, k, points, kerneltest.Options[*graph.Graph]{Parse: parse})
		}
	}
}

// permuted renames the nodes and shuffles nodes and edges.
func permuted(g *graph.Graph, r *rand.Rand) *graph.Graph {
	order, lines := r.Perm(g.Len()), r.Perm(len(g.Edges))
	at := make([]int32, g.Len()) // where a node went
	for to, from := range order {
		at[from] = int32(to)
	}
	edges := make([]graph.Edge, len(g.Edges))
	for to, from := range lines {
		e := g.Edges[from]
		edges[to] = graph.Edge{From: at[e.From], To: at[e.To]}
		if !g.Directed && r.IntN(2) == 0 {
			edges[to] = graph.Edge{From: edges[to].To, To: edges[to].From}
		}
	}
	out, err := graph.New("permuted", g.Directed, slices.Clone(g.IDs), edges, nil)
	if err != nil {
		panic(err)
	}
	out.Nodes, out.Labels = reordered(g.Nodes, order), reordered(g.Labels, lines)
	return out
}

// reordered returns columns with their cells in another order.
func reordered(columns []data.Column, order []int) []data.Column {
	columns = slices.Clone(columns)
	for i, c := range columns {
		columns[i].Strings, columns[i].Numbers = nil, nil
		for _, from := range order {
			if c.Kind == data.Numeric {
				columns[i].Numbers = append(columns[i].Numbers, c.Numbers[from])
			} else {
				columns[i].Strings = append(columns[i].Strings, c.Strings[from])
			}
		}
	}
	return columns
}

// TestProperties draws graphs: k(G, G) ≥ 0, symmetry, no change when nodes are renamed, and
// no eigenvalue of a Gram matrix below rounding.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1))
		directed := rapid.Bool().Draw(rt, "directed")
		k, err := parse(rapid.SampledFrom(expressions).Draw(rt, "kernel"))
		if err != nil {
			rt.Fatal(err)
		}
		var points []*graph.Graph
		for range 8 {
			points = append(points, molecule(t, r, directed))
		}
		n := len(points)
		gram := kernel.NewTile(n, n)
		set := data.Slice[*graph.Graph](points)
		kernel.Bind(k, set, set).Tile(gram, 0, 0)
		dense, trace := mat.NewSymDense(n, nil), 0.0
		for i, g := range points {
			if gram.Row(i)[i] < 0 {
				rt.Fatalf("%s: k(G, G) = %g", k, gram.Row(i)[i])
			}
			trace += gram.Row(i)[i]
			h := permuted(g, r)
			for j, other := range points {
				dense.SetSym(i, j, gram.Row(i)[j])
				if !near(gram.Row(i)[j], gram.Row(j)[i]) {
					rt.Fatalf("%s: k(%d, %d) = %g and %g", k, i, j, gram.Row(i)[j], gram.Row(j)[i])
				}
				if got, want := k.Eval(h, other), k.Eval(g, other); !near(got, want) {
					rt.Fatalf("%s: %g becomes %g when the nodes of %+v are renamed", k, want, got, g)
				}
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(dense, false) || eigen.Values(nil)[0] < -1e-13*float64(n)*trace {
			rt.Fatalf("%s: eigenvalues %v", k, eigen.Values(nil))
		}
	})
}

// near allows for sums in another order.
func near(a, b float64) bool { return a == b || max(a-b, b-a) <= 1e-13*max(a, b) }

// unfold writes the tree of walks of the given depth from a node, neighbours in order: what
// a colour of Weisfeiler and Lehman stands for.
func unfold(g *graph.Graph, atoms, bonds []string, v int32, depth int) string {
	if depth == 0 {
		return atoms[v]
	}
	var out, in []string
	for e, ends := range g.Edges {
		if ends.From == v {
			out = append(out, bonds[e]+"~"+unfold(g, atoms, bonds, ends.To, depth-1))
		}
		switch {
		case ends.To != v || ends.To == ends.From && !g.Directed:
		case g.Directed:
			in = append(in, bonds[e]+"~"+unfold(g, atoms, bonds, ends.From, depth-1))
		default:
			out = append(out, bonds[e]+"~"+unfold(g, atoms, bonds, ends.From, depth-1))
		}
	}
	slices.Sort(out)
	slices.Sort(in)
	return fmt.Sprintf("%s(%s|%s)", unfold(g, atoms, bonds, v, depth-1), strings.Join(out, ","), strings.Join(in, ","))
}

// TestWLByTrees compares with the counts of equal trees.
func TestWLByTrees(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for trial := range 120 {
		g, h := molecule(t, r, trial%2 == 0), molecule(t, r, trial%2 == 0)
		for depth := range 4 {
			for _, edges := range []string{"", "bond"} {
				want, trees := 0.0, map[string]float64{}
				each := func(x *graph.Graph, visit func(tree string)) {
					bonds := make([]string, len(x.Edges))
					if edges != "" {
						bonds = x.Labels[0].Strings
					}
					for d := range depth + 1 {
						for v := range x.Len() {
							visit(fmt.Sprint(d, unfold(x, x.Nodes[0].Strings, bonds, int32(v), d)))
						}
					}
				}
				each(g, func(tree string) { trees[tree]++ })
				each(h, func(tree string) { want += trees[tree] })
				if got := (kgraph.WL{Rounds: depth, Attribute: "atom", Edges: edges}).Eval(g, h); got != want {
					t.Fatalf("trial %d: wl of %d rounds is %g, by trees %g", trial, depth, got, want)
				}
			}
		}
	}
}

// TestUnseen predicts for graphs with labels that the column graphs lack: their share is in
// the norm of the row alone.
func TestUnseen(t *testing.T) {
	known := labelled(t, false, "CCO", graph.Edge{From: 0, To: 1}, graph.Edge{From: 1, To: 2})
	fresh := labelled(t, false, "CXY", graph.Edge{From: 0, To: 1}, graph.Edge{From: 1, To: 2})
	cols, rows := data.Slice[*graph.Graph]{known}, data.Slice[*graph.Graph]{fresh, known}
	for _, text := range expressions {
		k, err := parse(strings.ReplaceAll(text, "bond", "none"))
		if err != nil {
			t.Fatal(err)
		}
		a := kernel.BindColumns(k, cols)
		for range 2 { // the second time is not changed by the first
			tile := kernel.NewTile(2, 1)
			a.Bind(rows, nil).Tile(tile, 0, 0)
			if want := []float64{k.Eval(fresh, known), k.Eval(known, known)}; !near(tile.Data[0], want[0]) || !near(tile.Data[1], want[1]) {
				t.Errorf("%s: %v, want %v", k, tile.Data, want)
			}
		}
	}
}

func TestContains(t *testing.T) {
	g := labelled(t, false, "CO", graph.Edge{From: 0, To: 1})
	for text, want := range map[string]string{
		`wl(h=1, label="charge")`:                `graph: the nodes of test have no attribute "charge"`,
		`wl(h=1, label="atom", edges="charge")`:  `graph: the edges of test have no attribute "charge"`,
		`sp(label="charge")`:                     `graph: the nodes of test have no attribute "charge"`,
		`vertices(label="charge")`:               `graph: the nodes of test have no attribute "charge"`,
		`edges(label="charge")`:                  `graph: the edges of test have no attribute "charge"`,
		`randomwalk(lambda=0.1, label="charge")`: `graph: the nodes of test have no attribute "charge"`,
		`walk(k=1, label="charge")`:              `graph: the nodes of test have no attribute "charge"`,
	} {
		k, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := kernel.Contains(k, g); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if got := k.Eval(g, g); got != 0 {
			t.Errorf("%s: %g outside of its domain", text, got)
		}
	}
	for _, text := range []string{"wl(h=-1)", "wl(h=1.5)", "walk(k=-1)", "walk(k=1e9)"} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), "is not a whole number") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func ExampleWL() {
	g, err := graph.New("path", false, nil, []graph.Edge{{From: 0, To: 1}, {From: 1, To: 2}}, nil)
	if err != nil {
		panic(err)
	}
	k := kgraph.WL{Rounds: 1}
	fmt.Println(k, k.Eval(g, g)) // 3² nodes, then 2² ends and 1 node between them
	// Output: wl(h=1) 14
}
