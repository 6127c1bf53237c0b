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
	"example.org/mercer/kernel/kerneltest"
)

// labelled makes a graph from labels, one letter a node, and edges.
func labelled(t testing.TB, directed bool, labels string, edges ...graph.Edge) *graph.Graph {
	t.Helper()
	ids := make([]string, len(labels))
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	g, err := graph.New("test", directed, ids, edges, nil)
	if err != nil {
		t.Fatal(err)
	}
	g.Nodes = []data.Column{{Name: "atom", Kind: data.Text, Strings: strings.Split(labels, "")}}
	return g
}

// TestByHand counts walks of two small graphs by hand: the path C–C–O and the edge C–O.
func TestByHand(t *testing.T) {
	path := labelled(t, false, "CCO", graph.Edge{From: 0, To: 1}, graph.Edge{From: 1, To: 2})
	edge := labelled(t, false, "CO", graph.Edge{From: 0, To: 1})
	// Pairs with equal labels: (0,0), (1,0), (2,1). One product edge: (1,0) – (2,1).
	p, err := kgraph.NewProduct(path, edge, "atom")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(p.Pairs, p.Next); got != "[[0 0] [1 0] [2 1]] [[] [2] [1]]" {
		t.Errorf("the product is %s", got)
	}
	if got := fmt.Sprint(p.Walks(4)); got != "[3 2 2 2 2]" {
		t.Errorf("walks of lengths 0 … 4: %s", got)
	}
	// Without labels all six pairs are nodes: walks in the path (3, 4, 6, 8) times those in
	// the edge (2, 2, 2, 2).
	if p, err = kgraph.NewProduct(path, edge, ""); err != nil || fmt.Sprint(p.Walks(3)) != "[6 8 12 16]" {
		t.Errorf("without labels: %v, %v", p.Walks(3), err)
	}
}

// counts enumerates the walks of a graph by their labels, edge by edge.
func counts(g *graph.Graph, labels []string, length int) map[string]float64 {
	out := map[string]float64{}
	var from func(v int, word string, left int)
	from = func(v int, word string, left int) {
		if word += labels[v] + "|"; left == 0 {
			out[word]++
			return
		}
		for _, e := range g.Edges {
			if int(e.From) == v {
				from(int(e.To), word, left-1)
			}
			if !g.Directed && int(e.To) == v && e.From != e.To {
				from(int(e.From), word, left-1)
			}
		}
	}
	for v := range g.Len() {
		from(v, "", length)
	}
	return out
}

// random makes a graph of up to seven nodes, with loops and parallel edges.
func random(t testing.TB, r *rand.Rand) *graph.Graph {
	n := 1 + r.IntN(7)
	var labels strings.Builder
	for range n {
		labels.WriteByte("CNO"[r.IntN(3)])
	}
	var edges []graph.Edge
	for range r.IntN(2 * n) {
		edges = append(edges, graph.Edge{From: int32(r.IntN(n)), To: int32(r.IntN(n))})
	}
	return labelled(t, r.IntN(2) == 0, labels.String(), edges...)
}

func TestBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for trial := range 200 {
		g, h := random(t, r), random(t, r)
		attribute := []string{"atom", ""}[trial%2]
		left, err := kgraph.Labels(g, attribute)
		if err != nil {
			t.Fatal(err)
		}
		right, err := kgraph.Labels(h, attribute)
		if err != nil {
			t.Fatal(err)
		}
		for length := range 5 {
			want, of := 0.0, counts(h, right, length)
			for word, times := range counts(g, left, length) {
				want += times * of[word]
			}
			if got := (kgraph.Walk{Length: length, Attribute: attribute, Base: kgraph.Base{Parallel: true}}).Eval(g, h); got != want {
				t.Fatalf("trial %d, length %d: %g, by enumeration %g", trial, length, got, want)
			}
		}
	}
}

func TestSuite(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var points []*graph.Graph
	for range 12 {
		points = append(points, random(t, r))
	}
	for _, k := range []kgraph.Walk{{}, {Length: 1, Attribute: "atom"}, {Length: 3, Attribute: "atom"}, {Length: 2}} {
		kerneltest.Run(t, k, points, kerneltest.Options[*graph.Graph]{})
	}
}

// TestExplicit compares the counts of sequences with the steps of products, bit for bit, on
// sets that are the same and on others; too many walks are left to the steps.
func TestExplicit(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var rows, cols data.Slice[*graph.Graph]
	for range 9 {
		rows, cols = append(rows, random(t, r)), append(cols, random(t, r))
	}
	for length := range 6 {
		w := kgraph.Walk{Length: length, Attribute: "atom"}
		for _, left := range []data.Slice[*graph.Graph]{cols, rows} {
			explicit, steps := w.Explicit(left, cols), w.BySteps(left, cols)
			if explicit == nil {
				t.Fatalf("length %d: too many walks in graphs of seven nodes", length)
			}
			got, want := kernel.NewTile(9, 9), kernel.NewTile(9, 9)
			explicit.Tile(got, 0, 0)
			steps.Tile(want, 0, 0)
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("length %d: %v, by steps %v", length, got.Data, want.Data)
			}
		}
	}
	var edges []graph.Edge
	for v := range 40 {
		for w := range v {
			edges = append(edges, graph.Edge{From: int32(v), To: int32(w)})
		}
	}
	complete := data.Slice[*graph.Graph]{labelled(t, false, strings.Repeat("CNOF", 10), edges...)}
	w := kgraph.Walk{Length: 8, Attribute: "atom"}
	if w.Explicit(complete, complete) != nil {
		t.Error("40·39⁸ walks were counted one sequence after the other")
	}
	one := kernel.NewTile(1, 1)
	w.Bind(complete, complete).Tile(one, 0, 0)
	// A pair of nodes with equal labels, 4·10² of them, has 3·10² neighbours with another label
	// and 9² with its own. Some thousand sums of positive numbers round by less than 10⁻¹² of them.
	if want := 400 * math.Pow(381, 8); math.Abs(one.Data[0]-want) > 1e-12*want {
		t.Errorf("40·39⁸ walks: %v, by hand %v", one.Data[0], want)
	}
}

func TestRefuses(t *testing.T) {
	g := labelled(t, false, "CO", graph.Edge{From: 0, To: 1})
	if _, err := kgraph.NewProduct(g, g, "charge"); err == nil || !strings.Contains(err.Error(), `"charge"`) {
		t.Errorf("an unknown attribute: %v", err)
	}
	g.Nodes[0].Missing = []bool{false, true}
	if err := (kgraph.Walk{Length: 1, Attribute: "atom"}).Contains(g); err == nil || !strings.Contains(err.Error(), `"1"`) {
		t.Errorf("a node without a label: %v", err)
	}
	if (kgraph.Walk{Length: -1}).Contains(g) == nil || (kgraph.Walk{Length: -1}).Eval(g, g) != 0 {
		t.Error("walks of −1 edges were accepted")
	}
}

func ExampleWalk() {
	g, err := graph.New("triangle", false, nil, []graph.Edge{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 0}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	k := kgraph.Walk{Length: 2}
	fmt.Println(k, k.Eval(g, g)) // a triangle has 3·2·2 walks with two edges
	// Output: walk(k=2) 144
}
