package main

import (
	"context"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	kgraph "example.org/mercer/kernel/graph"
	"example.org/mercer/kernel/vec"
)

// graphs is the Gram matrix of a kernel between graphs.
type graphs struct {
	points data.Slice[*graph.Graph]
	k      kernel.Kernel[*graph.Graph]
	found  *mat.SymDense
}

// newGraphs reads nodes.npy (graph and label of each node) and edges.npy (both ends, each
// undirected edge once), numbers that count from 0.
func newGraphs(dir string, p params) (work, error) {
	k, err := expr.ParseKernel(p.Graphs, kgraph.Dictionary(vec.Dictionary(vec.Schema{})))
	if err != nil {
		return nil, err
	}
	nodes, err := readMatrix(dir, "nodes")
	if err != nil {
		return nil, err
	}
	edges, err := readMatrix(dir, "edges")
	if err != nil {
		return nil, err
	}
	n, _ := nodes.Dims()
	count := int(nodes.At(n-1, 0)) + 1
	labels, ends := make([][]float64, count), make([][]graph.Edge, count)
	place := make([]int32, n)
	for v := range n {
		g := int(nodes.At(v, 0))
		place[v] = int32(len(labels[g]))
		labels[g] = append(labels[g], nodes.At(v, 1))
	}
	m, _ := edges.Dims()
	for e := range m {
		u, v := int(edges.At(e, 0)), int(edges.At(e, 1))
		g := int(nodes.At(u, 0))
		ends[g] = append(ends[g], graph.Edge{From: place[u], To: place[v]})
	}
	points := make(data.Slice[*graph.Graph], count)
	for g := range points {
		ids := make([]string, len(labels[g]))
		cells := data.Column{Name: kgraph.DefaultLabel, Kind: data.Categorical, Strings: make([]string, len(ids))}
		for v := range ids {
			ids[v], cells.Strings[v] = strconv.Itoa(v), strconv.Itoa(int(labels[g][v]))
		}
		if points[g], err = graph.New("graph "+strconv.Itoa(g), false, ids, ends[g], nil); err != nil {
			return nil, err
		}
		points[g].Nodes = []data.Column{cells}
	}
	return &graphs{points: points, k: k}, nil
}

func (w *graphs) forget() { w.found = nil }

func (w *graphs) run(ctx context.Context) (float64, error) {
	var err error
	w.found, err = gram.Dense(ctx, kernel.Bind(w.k, w.points, w.points), compute.Options{})
	return 0, err
}

func (w *graphs) save(_ context.Context, dir string) error {
	n := w.found.SymmetricDim()
	out := mat.NewDense(n, n, nil)
	out.Copy(w.found)
	return writeMatrix(dir, "result", out)
}
