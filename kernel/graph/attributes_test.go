package graph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	kgraph "example.org/mercer/kernel/graph"
	"example.org/mercer/kernel/kerneltest"
	"example.org/mercer/kernel/vec"
)

// bound returns k(g, h) from a tile.
func bound(k kernel.Kernel[*graph.Graph], g, h *graph.Graph) float64 {
	tile := kernel.NewTile(1, 1)
	kernel.Bind(k, data.Slice[*graph.Graph]{g}, data.Slice[*graph.Graph]{h}).Tile(tile, 0, 0)
	return tile.Data[0]
}

// described is one edge between two nodes with the numbers a and b, of length c.
func described(t *testing.T, a, b, c float64) *graph.Graph {
	g := labelled(t, false, "CO", graph.Edge{From: 0, To: 1})
	g.Nodes = append(g.Nodes, data.Column{Name: "x", Kind: data.Numeric, Numbers: []float64{a, b}})
	g.Labels = []data.Column{{Name: "length", Kind: data.Numeric, Numbers: []float64{c}}}
	return g
}

// TestOneEdge works out walks on single edges a–b and c–d of lengths e and f: with products as base
// kernels both directions of a step weigh ac·ef·bd and ad·ef·bc. A walk of two edges goes there and
// back.
func TestOneEdge(t *testing.T) {
	g, h := described(t, 2, 3, 5), described(t, 7, 11, 13)
	const ac, bd, ad, bc, ef = 2 * 7., 3 * 11., 2 * 11., 3 * 7., 5 * 13.
	for text, want := range map[string]float64{
		`walk(k=1, node=linear())`:                                2 * (ac*bd + ad*bc),
		`walk(k=1, edge=linear())`:                                4 * ef,
		`walk(k=1, node=linear(), edge=linear())`:                 2 * (ac*ef*bd + ad*ef*bc),
		`walk(k=2, node=linear(), edge=linear())`:                 2 * ((ac*ef*bd)*(ac*ef*bd) + (ad*ef*bc)*(ad*ef*bc)),
		`walk(k=1, label="atom", node=linear(), edge=linear())`:   2 * ac * ef * bd,
		`sp(node=linear())`:                                       2 * (ac*bd + ad*bc),
		`sp(label="atom", node=linear())`:                         2 * ac * bd,
		`randomwalk(lambda=1, series=exponential, edge=linear())`: 4 * math.Exp(ef),
	} {
		k, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []float64{k.Eval(g, h), bound(k, g, h)} {
			if math.Abs(got-want) > 1e-13*want {
				t.Errorf("%s is %.17g, by hand %.17g", text, got, want)
			}
		}
	}
}

// enumerated adds up the weights of all pairs of walks, walk by walk.
func enumerated(g, h *graph.Graph, length int, node, edge func(i, j int) float64) float64 {
	sum := 0.0
	var from func(v, w, left int, weight float64)
	steps := func(x *graph.Graph, v int, visit func(to, e int)) {
		for e, ends := range x.Edges {
			if int(ends.From) == v {
				visit(int(ends.To), e)
			}
			if !x.Directed && int(ends.To) == v && ends.From != ends.To {
				visit(int(ends.From), e)
			}
		}
	}
	from = func(v, w, left int, weight float64) {
		if left == 0 {
			sum += weight
			return
		}
		steps(g, v, func(a, e int) {
			steps(h, w, func(b, f int) { from(a, b, left-1, weight*node(v, w)*edge(e, f)*node(a, b)) })
		})
	}
	for v := range g.Len() {
		for w := range h.Len() {
			from(v, w, length, 1)
		}
	}
	return sum
}

// TestAttributedWalks compares the product and the steps with an enumeration, and the geometric
// series with the inverse of the matrix of weights.
func TestAttributedWalks(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	node, edge := vec.RBF{Sigma: 1}, vec.RBF{Sigma: 0.5}
	for trial := range 60 {
		g, h := molecule(t, r, trial%2 == 0), molecule(t, r, trial%2 == 0)
		at := func(x *graph.Graph, v int) []float64 { return []float64{x.Nodes[2].Numbers[v], x.Nodes[1].Numbers[v]} }
		atom := func(v, w int) float64 {
			if g.Nodes[0].Strings[v] != h.Nodes[0].Strings[w] {
				return 0
			}
			return node.Eval(at(g, v), at(h, w))
		}
		bond := func(e, f int) float64 {
			return edge.Eval(g.Labels[1].Numbers[e:e+1], h.Labels[1].Numbers[f:f+1])
		}
		base := kgraph.Base{Node: node, Edge: edge}
		for length := 1; length < 4; length++ {
			want := enumerated(g, h, length, atom, bond)
			k := kgraph.Walk{Length: length, Attribute: "atom", Base: base}
			for _, got := range []float64{k.Eval(g, h), bound(k, g, h)} {
				if math.Abs(got-want) > 1e-13*want {
					t.Fatalf("trial %d: %s is %.17g, by enumeration %.17g", trial, k, got, want)
				}
			}
		}
		k := kgraph.RandomWalk{Lambda: 0.02, Attribute: "atom", Base: base}
		p, err := kgraph.NewWeightedProduct(g, h, "atom", base)
		if err != nil {
			t.Fatal(err)
		}
		n := len(p.Pairs)
		if n == 0 {
			continue
		}
		m, ones := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		for i, next := range p.Next {
			m.Set(i, i, m.At(i, i)+1)
			ones.SetVec(i, 1)
			for e, j := range next {
				m.Set(i, j, m.At(i, j)-k.Lambda*p.Weight[i][e])
			}
		}
		var x mat.VecDense
		if err := x.SolveVec(m, ones); err != nil {
			t.Fatal(err)
		}
		want := mat.Sum(&x)
		for _, got := range []float64{k.Eval(g, h), bound(k, g, h)} {
			if math.Abs(got-want) > 1e-12*want {
				t.Fatalf("trial %d: %s is %.17g, by the linear system %.17g", trial, k, got, want)
			}
		}
	}
}

// TestDelta has the labelled kernels from base kernels that are 1 for equal numbers and 0 for
// others.
func TestDelta(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	delta := vec.RBF{Sigma: 0.01} // exp(−½·100²) is 0 in float64
	for trial := range 60 {
		g, h := molecule(t, r, trial%2 == 0), molecule(t, r, trial%2 == 0)
		for _, x := range []*graph.Graph{g, h} {
			codes := make([]float64, x.Len())
			for v := range codes {
				codes[v] = float64(x.Nodes[0].Strings[v][0])
			}
			x.Nodes = append(x.Nodes[:1:1], data.Column{Name: "code", Kind: data.Numeric, Numbers: codes})
		}
		for _, pair := range [][2]kernel.Kernel[*graph.Graph]{
			{kgraph.Walk{Length: 3, Attribute: "none", Base: kgraph.Base{Node: delta}}, kgraph.Walk{Length: 3, Attribute: "atom"}},
			{kgraph.RandomWalk{Lambda: 0.3, Exponential: true, Attribute: "atom", Base: kgraph.Base{Node: delta}}, kgraph.RandomWalk{Lambda: 0.3, Exponential: true, Attribute: "atom"}},
			{kgraph.ShortestPath{Attribute: "none", Node: delta}, kgraph.ShortestPath{Attribute: "atom"}},
		} {
			for _, got := range []float64{pair[0].Eval(g, h), bound(pair[0], g, h)} {
				if want := pair[1].Eval(g, h); math.Abs(got-want) > 1e-13*want {
					t.Fatalf("trial %d: %s is %v, %s is %v", trial, pair[0], got, pair[1], want)
				}
			}
		}
	}
}

// TestNoAttributes has graphs that the base kernels cannot compare: an error each, and the value 0.
func TestNoAttributes(t *testing.T) {
	bare := labelled(t, false, "CO", graph.Edge{From: 0, To: 1})
	whole, other, hole := described(t, 1, 2, 3), described(t, 1, 2, 3), described(t, 1, 2, 3)
	other.Nodes = append(other.Nodes, data.Column{Name: "z", Kind: data.Numeric, Numbers: []float64{1, 2}})
	hole.Nodes[1].Missing = []bool{false, true}
	hole.Nodes[1].Numbers[1] = math.NaN()
	for _, c := range []struct {
		text string
		with *graph.Graph
		want string
	}{
		{`walk(k=1, node=linear())`, bare, "the nodes of test have no attributes that are numbers, and node=linear() compares these; give them some, or leave out node="},
		{`randomwalk(lambda=0.01, edge=linear())`, bare, "the edges of test have no attributes that are numbers, and edge=linear() compares these; give them some, or leave out edge="},
		{`sp(node=linear())`, bare, "the nodes of test have no attributes that are numbers"},
		{`sp(node=linear())`, hole, `test: the node "1" has no finite value of x, which node=linear() compares; give it one`},
		{`walk(k=1, node=linear())`, other, "the nodes of test have the attributes x, z, and those of test x; all graphs need the same"},
		{`sp(node=linear())`, other, "the nodes of test have the attributes x, z, and those of test x; all graphs need the same"},
		{`randomwalk(lambda=0.0001, node=linear()[3])`, whole, `test: the node "0": column 3 (counted from 0) is selected but the point has 1 coordinates`},
	} {
		k, err := parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if row, err := kernel.Outside(k, data.Slice[*graph.Graph]{whole, c.with}); err == nil || row < 0 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: row %d, %v, want %s", c.text, row, err, c.want)
		}
		if c.with == other {
			if row, err := kernel.CheckCompatible(kernel.Kernel[*graph.Graph](kernel.Normalized[*graph.Graph]{Of: k}), data.Slice[*graph.Graph]{whole, other}, whole); row != 1 || !strings.Contains(fmt.Sprint(err), c.want) {
				t.Errorf("%s: beside the first graph, row %d, %v", c.text, row, err)
			}
		}
		if got, tile := k.Eval(whole, c.with), bound(k, whole, c.with); got != 0 && c.with != whole || tile != got {
			t.Errorf("%s: %v, bound %v outside of the domain", c.text, got, tile)
		}
	}
	for text, want := range map[string]string{
		`walk(k=0, node=linear())`: "no step on which node= and edge= are compared",
		`walk(k=1, node=lienar())`: `unknown kernel "lienar"`,
		`sp(edge=linear())`:        `sp has no argument "edge"`,
	} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestWeights has the weights of edges as their first attribute.
func TestWeights(t *testing.T) {
	made := func(weight float64) *graph.Graph {
		g, err := graph.New("test", false, nil, []graph.Edge{{From: 0, To: 1}}, []float64{weight})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	k := kgraph.Walk{Length: 1, Base: kgraph.Base{Edge: vec.Linear{}}}
	if got := k.Eval(made(3), made(5)); got != 4*15 {
		t.Errorf("%v", got)
	}
}

// TestIndefiniteBase has no proof where the base kernel is not positive definite.
func TestIndefiniteBase(t *testing.T) {
	for text, want := range map[string]kernel.Verdict{
		`walk(k=2, node=rbf(sigma=1))`: kernel.Definite, `walk(k=2, node=tanh(scale=1, offset=0))`: kernel.Unknown, `sp(node=tanh(scale=1, offset=0))`: kernel.Unknown,
	} {
		k, err := parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if d := kernel.Derive(k); d.Verdict != want {
			t.Errorf("%s: %s", text, d.Verdict)
		}
	}
}

// TestAttributedBits has equal graphs give equal rows, whatever is beside them.
func TestAttributedBits(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	var points []*graph.Graph
	for range 6 {
		points = append(points, molecule(t, r, false))
	}
	k, err := parse(`normalize(of=walk(k=3, label="atom", node=rbf(sigma=1))) + 0.01*sp(node=rbf(sigma=1))`)
	if err != nil {
		t.Fatal(err)
	}
	kerneltest.Run(t, k, points, kerneltest.Options[*graph.Graph]{Parse: parse})
}

func ExampleBase() {
	g, err := graph.New("bar", false, nil, []graph.Edge{{From: 0, To: 1}}, nil)
	if err != nil {
		panic(err)
	}
	g.Nodes = []data.Column{{Name: "charge", Kind: data.Numeric, Numbers: []float64{1, 2}}}
	k := kgraph.Walk{Length: 1, Base: kgraph.Base{Node: vec.Linear{}}}
	fmt.Println(k, k.Eval(g, g)) // both directions along (1·1)(2·2), and both across (1·2)(2·1)
	// Output: walk(k=1, node=linear()) 16
}
