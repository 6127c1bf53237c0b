package graph

import (
	"math"

	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

type entry = expr.Entry[*graph.Graph]

var (
	labelArgument    = expr.Argument{Name: "label", Kind: expr.StringArg, Default: `"label"`, Help: `attribute of the nodes that is their label; "degree" counts the neighbours where there is no such attribute, "none" makes all alike`}
	edgesArgument    = expr.Argument{Name: "edges", Kind: expr.StringArg, Default: `"none"`, Help: "attribute of the edges that is their label; none makes all alike"}
	parallelArgument = expr.Argument{Name: "parallel", Kind: expr.WordArg, Default: "merge", Help: "edges between the same nodes that are alike: merge counts them once, count one by one"}
)

// Dictionary returns the names of this package's kernels. Base kernels on the attributes of nodes
// and edges are those of the other dictionary.
func Dictionary(attributes expr.Dictionary[[]float64]) expr.Dictionary[*graph.Graph] {
	b := bases{attributes}
	return expr.Dictionary[*graph.Graph]{Kernels: map[string]entry{
		"walk":       b.walk(),
		"randomwalk": b.randomWalk(),
		"sp":         b.shortestPath(),
		"wl": {
			Arguments: []expr.Argument{whole("h", "3", "rounds of colouring"), labelArgument, edgesArgument, parallelArgument},
			Summary:   "inner product of the counts of Weisfeiler–Lehman colours",
			Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
				h, err := wholeNumber(a, "h", 3, 0)
				if err != nil {
					return nil, err
				}
				parallel, err := countsParallel(a)
				return WL{Rounds: h, Attribute: a.Text("label", ""), Edges: a.Text("edges", ""), Parallel: parallel}, err
			},
		},
		"graphlets": {
			Arguments: []expr.Argument{whole("size", "3", "nodes of the graphlets, 3 or 4")},
			Summary:   "inner product of the counts of induced subgraphs of 3 or 4 nodes",
			Build:     graphlets,
		},
		"vertices": {
			Arguments: []expr.Argument{labelArgument},
			Summary:   "inner product of the counts of labels of nodes",
			Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
				return Vertices{Attribute: a.Text("label", "")}, nil
			},
		},
		"edges": {
			Arguments: []expr.Argument{{Name: "label", Kind: expr.StringArg, Default: `"label"`, Help: `attribute of the edges that is their label; "none" makes all alike`}, parallelArgument},
			Summary:   "inner product of the counts of labels of edges",
			Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
				parallel, err := countsParallel(a)
				return Edges{Attribute: a.Text("label", ""), Parallel: parallel}, err
			},
		},
	}}
}

// bases are the base kernels on the attributes of nodes and edges.
type bases struct{ attributes expr.Dictionary[[]float64] }

func (b bases) argument(name, help string) expr.Argument {
	return expr.Argument{Name: name, Kind: expr.KernelArg, Default: "1", Help: help,
		Resolve: func(n expr.Node) (expr.Node, error) { return expr.Resolve(n, b.attributes) }}
}

func (b bases) node() expr.Argument {
	return b.argument("node", "kernel on the attributes of two nodes that have the same label")
}

func (b bases) edge() expr.Argument {
	return b.argument("edge", "kernel on the attributes of two edges")
}

// of builds the base kernels of an expression.
func (b bases) of(a *expr.Args) (base Base, err error) {
	if n, ok := a.Node("node"); ok {
		base.Node, err = expr.Build(n, b.attributes)
	}
	if n, ok := a.Node("edge"); ok && err == nil {
		base.Edge, err = expr.Build(n, b.attributes)
	}
	if err == nil {
		base.Parallel, err = countsParallel(a)
	}
	return base, err
}

// countsParallel reads whether parallel edges count one by one.
func countsParallel(a *expr.Args) (bool, error) {
	switch word := a.Text("parallel", "merge"); word {
	case "merge":
		return false, nil
	case "count":
		return true, nil
	default:
		return false, a.Errorf("parallel", "parallel=%s is not known: use merge or count", word)
	}
}

func (b bases) walk() entry {
	return entry{
		Arguments: []expr.Argument{whole("k", "2", "edges of the walks"), labelArgument, b.node(), b.edge(), parallelArgument},
		Summary:   "inner product of the counts of walks with k edges by their labels, or by attributes",
		Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
			k, err := wholeNumber(a, "k", 2, 0)
			if err != nil {
				return nil, err
			}
			base, err := b.of(a)
			if err == nil && k == 0 && !base.empty() {
				err = a.Errorf("k", "k=0: a walk without edges has no step on which node= and edge= are compared; k is 1 or more with them")
			}
			return Walk{Length: k, Attribute: a.Text("label", ""), Base: base}, err
		},
	}
}

func (b bases) randomWalk() entry {
	return entry{
		Arguments: []expr.Argument{
			{Name: "lambda", Kind: expr.NumberArg, Default: "0.1", Help: "0 < λ, and < 1/ρ of the product graphs for the geometric series"},
			{Name: "series", Kind: expr.WordArg, Default: "geometric", Help: "weights of the lengths: geometric λᵗ, or exponential λᵗ/t!"}, labelArgument, b.node(), b.edge(), parallelArgument,
		},
		Summary: "walks of all lengths, weighted by λᵗ or λᵗ/t!",
		Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
			base, err := b.of(a)
			if err != nil {
				return nil, err
			}
			return randomWalk(a, base)
		},
	}
}

func (b bases) shortestPath() entry {
	return entry{
		Arguments: []expr.Argument{labelArgument, b.node()},
		Summary:   "inner product of the counts of pairs of labels, or of attributes, at each distance",
		Build: func(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
			base, err := b.of(a)
			return ShortestPath{Attribute: a.Text("label", ""), Node: base.Node}, err
		},
	}
}

func graphlets(a *expr.Args) (kernel.Kernel[*graph.Graph], error) {
	k := Graphlets{Size: int(a.Number("size", 3))}
	if float64(k.Size) != a.Number("size", 3) || k.Size == 0 || k.Contains(nil) != nil {
		return nil, a.Errorf("size", "size=%v: graphlets of 3 and of 4 nodes are counted", a.Number("size", 3))
	}
	return k, nil
}

func randomWalk(a *expr.Args, of Base) (kernel.Kernel[*graph.Graph], error) {
	k := RandomWalk{Lambda: a.Number("lambda", 0.1), Attribute: a.Text("label", ""), Base: of}
	if !(k.Lambda > 0) || math.IsInf(k.Lambda, 0) {
		return nil, a.Errorf("lambda", "lambda=%v is not positive and finite", k.Lambda)
	}
	switch word := a.Text("series", "geometric"); word {
	case "geometric":
	case "exponential":
		k.Exponential = true
	default:
		return nil, a.Errorf("series", "series=%s is not known: use geometric or exponential", word)
	}
	return k, nil
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
