package graph

import (
	"math"

	"mercer/data/graph"
	"mercer/kernel"
	"mercer/kernel/expr"
)

type entry = expr.Entry[*graph.Graph]

var (
	labelArgument = expr.Argument{Name: "label", Kind: expr.StringArg, Default: `"label"`, Help: `attribute of the nodes that is their label; "none" makes all alike`}
	edgesArgument = expr.Argument{Name: "edges", Kind: expr.StringArg, Default: `"none"`, Help: "attribute of the edges that is their label; none makes all alike"}
)

// Dictionary returns the names of this package's kernels.
func Dictionary() expr.Dictionary[*graph.Graph] {
	return expr.Dictionary[*graph.Graph]{Kernels: map[string]entry{
		"walk": {
			Arguments: []expr.Argument{whole("k", "2", "edges of the walks"), labelArgument},
			Summary:   "inner product of the counts of walks with k edges by their labels",
			Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
				k, err := wholeNumber(a, "k", 2, 0)
				return Walk{Length: k, Attribute: a.Text("label", "")}, err
			},
		},
		"wl": {
			Arguments: []expr.Argument{whole("h", "3", "rounds of colouring"), labelArgument, edgesArgument},
			Summary:   "inner product of the counts of Weisfeiler–Lehman colours",
			Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
				h, err := wholeNumber(a, "h", 3, 0)
				return WL{Rounds: h, Attribute: a.Text("label", ""), Edges: a.Text("edges", "")}, err
			},
		},
		"sp": {
			Arguments: []expr.Argument{labelArgument},
			Summary:   "inner product of the counts of pairs of labels at each distance",
			Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
				return ShortestPath{Attribute: a.Text("label", "")}, nil
			},
		},
		"vertices": {
			Arguments: []expr.Argument{labelArgument},
			Summary:   "inner product of the counts of labels of nodes",
			Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
				return Vertices{Attribute: a.Text("label", "")}, nil
			},
		},
		"edges": {
			Arguments: []expr.Argument{{Name: "label", Kind: expr.StringArg, Default: `"label"`, Help: `attribute of the edges that is their label; "none" makes all alike`}},
			Summary:   "inner product of the counts of labels of edges",
			Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
				return Edges{Attribute: a.Text("label", "")}, nil
			},
		},
	}}
}

func whole(name, value, help string) expr.Argument {
	return expr.Argument{Name: name, Kind: expr.NumberArg, Default: value, Help: help}
}

// mostRounds bounds the numbers of rounds and steps.
const mostRounds = 1000

// wholeNumber reads a whole number, least or more.
func wholeNumber(a *expr.Args, name string, fallback, least float64) (int, error) {
	v := a.Number(name, fallback)
	if !(v >= least) || v != math.Trunc(v) || v > mostRounds {
		return 0, a.Errorf(name, "%s=%v is not a whole number from %v to %d", name, v, least, mostRounds)
	}
	return int(v), nil
}
