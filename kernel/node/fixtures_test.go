package node_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/node"
)

// network returns a network of edges between nodes 0, 1, …, n − 1.
func network(t testing.TB, n int, edges []graph.Edge, weights []float64) *node.Network {
	t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	g, err := graph.New("net", false, ids, edges, weights)
	if err != nil {
		t.Fatal(err)
	}
	net, err := node.NewNetwork("net", g)
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func path(n int) (edges []graph.Edge) {
	for i := range int32(n - 1) {
		edges = append(edges, graph.Edge{From: i, To: i + 1})
	}
	return edges
}

func cycle(n int) []graph.Edge { return append(path(n), graph.Edge{From: int32(n - 1), To: 0}) }

func complete(n int) (edges []graph.Edge) {
	for i := range int32(n) {
		for j := range i {
			edges = append(edges, graph.Edge{From: j, To: i})
		}
	}
	return edges
}

// random returns two blocks of connected nodes with weighted edges and one single node.
func random(t testing.TB, n int, seed uint64) (int, []graph.Edge, []float64) {
	rnd := testkit.Rand(t, seed)
	return n + 1, randomEdges(rnd, n), randomWeights(rnd, n)
}

func randomEdges(rnd *rand.Rand, n int) (edges []graph.Edge) {
	block := func(from, to int) {
		for i := from + 1; i < to; i++ {
			edges = append(edges, graph.Edge{From: int32(from + rnd.IntN(i-from)), To: int32(i)})
		}
	}
	block(0, 2*n/3)
	block(2*n/3, n)
	for len(edges) < 2*n {
		i, j := rnd.IntN(2*n/3), rnd.IntN(2*n/3)
		edges = append(edges, graph.Edge{From: int32(i), To: int32(j)})
	}
	return edges
}

func randomWeights(rnd *rand.Rand, n int) []float64 {
	w := make([]float64, 2*n)
	for i := range w {
		w[i] = 0.2 + rnd.Float64()
	}
	return w
}

func kernelOf(t testing.TB, n *node.Network, f node.Filter) *node.Kernel {
	t.Helper()
	k, err := node.New(n, f)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// gramOf returns K.
func gramOf(k *node.Kernel) *mat.Dense {
	ids := data.Slice[string](k.Network().Graph().IDs)
	return matrixOf(k.Bind(ids, ids))
}

func matrixOf(p kernel.Pairs) *mat.Dense {
	rows, cols := p.Dims()
	tile := kernel.NewTile(rows, cols)
	p.Tile(tile, 0, 0)
	return mat.NewDense(rows, cols, tile.Data)
}

// adjacency returns A as the edges and weights say, and the Laplacian L = D − A without the
// loops.
func adjacency(n int, edges []graph.Edge, weights []float64) (a, l *mat.Dense) {
	a, l = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for k, e := range edges {
		i, j, w := int(e.From), int(e.To), 1.0
		if weights != nil {
			w = weights[k]
		}
		if i == j {
			a.Set(i, i, a.At(i, i)+w)
			continue
		}
		a.Set(i, j, a.At(i, j)+w)
		a.Set(j, i, a.At(i, j))
		l.Set(i, j, -a.At(i, j))
		l.Set(j, i, -a.At(i, j))
		l.Set(i, i, l.At(i, i)+w)
		l.Set(j, j, l.At(j, j)+w)
	}
	return a, l
}

// filters are one kernel of every kind.
func filters() []node.Filter {
	return []node.Filter{
		node.Diffusion{T: 0.7}, node.Diffusion{T: 3, Normalized: true}, node.RegularisedLaplacian{T: 2}, node.RegularisedLaplacian{T: 5, Normalized: true},
		node.Walk{A: 2, P: 3}, node.Walk{A: 2.5, P: 6}, node.Exponential{T: 0.4}, node.CommuteTime{},
	}
}

// near compares matrices within an absolute tolerance.
func near(t testing.TB, what string, got, want mat.Matrix, tolerance float64) {
	t.Helper()
	var difference mat.Dense
	difference.Sub(got, want)
	if worst := mat.Norm(&difference, 2); !(worst <= tolerance) {
		t.Errorf("%s: off by %.3g, allowed %.3g", what, worst, tolerance)
	}
}
