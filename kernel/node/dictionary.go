package node

import (
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

var (
	graphArgument = expr.Argument{Name: "graph", Kind: expr.StringArg, Help: "a graph in GML, GraphML, or with one edge a line"}
	timeArgument  = expr.Argument{Name: "t", Kind: expr.NumberArg, Default: "1", Help: "t > 0"}
	matrixArg     = expr.Argument{Name: "laplacian", Kind: expr.WordArg, Default: "plain", Help: "plain for L = D − A, normalized for D^−½LD^−½"}
)

// Entries returns the dictionary entries of the kernels between nodes. load returns the
// network of a name.
func Entries(load func(name string) (*Network, error)) map[string]expr.Entry[string] {
	entry := func(summary string, filter func(*expr.Args) (Filter, error), arguments ...expr.Argument) expr.Entry[string] {
		return expr.Entry[string]{
			Arguments: append([]expr.Argument{graphArgument}, arguments...), Summary: summary,
			Build: func(a *expr.Args) (kernel.Kernel[string], error) {
				f, err := filter(a)
				if err != nil {
					return nil, err
				}
				n, err := load(a.Text("graph", ""))
				if err != nil {
					return nil, a.Errorf("graph", "%w", err)
				}
				k, err := New(n, f)
				if err != nil {
					return nil, err
				}
				return k, nil
			},
		}
	}
	return map[string]expr.Entry[string]{
		"diffusion": entry("exp(−tL), heat that spreads along the edges", func(a *expr.Args) (Filter, error) {
			normalized, err := normalizedArgument(a)
			return Diffusion{T: a.Number("t", 1), Normalized: normalized}, err
		}, timeArgument, matrixArg),
		"regularised_laplacian": entry("(I + tL)⁻¹", func(a *expr.Args) (Filter, error) {
			normalized, err := normalizedArgument(a)
			return RegularisedLaplacian{T: a.Number("t", 1), Normalized: normalized}, err
		}, timeArgument, matrixArg),
		"walk": entry("(aI − L̃)^p, walks of up to p steps", func(a *expr.Args) (Filter, error) {
			p := a.Number("p", 2)
			if p != float64(int(p)) {
				return nil, a.Errorf("p", "walk: p = %s: the number of steps is a whole number", number(p))
			}
			return Walk{A: a.Number("a", 2), P: int(p)}, nil
		}, expr.Argument{Name: "a", Kind: expr.NumberArg, Default: "2", Help: "a ≥ 2"},
			expr.Argument{Name: "p", Kind: expr.NumberArg, Default: "2", Help: "number of steps"}),
		"exponential": entry("exp(tA), walks of all lengths", func(a *expr.Args) (Filter, error) {
			return Exponential{T: a.Number("t", 1)}, nil
		}, timeArgument),
		"commute": entry("L⁺, commute times of a random walk", func(*expr.Args) (Filter, error) { return CommuteTime{}, nil }),
	}
}

// normalizedArgument reads the choice of a Laplacian.
func normalizedArgument(a *expr.Args) (bool, error) {
	switch word := a.Text("laplacian", "plain"); word {
	case "plain":
		return false, nil
	case "normalized", "normalised":
		return true, nil
	default:
		return false, a.Errorf("laplacian", "laplacian=%s is not known: use plain or normalized", word)
	}
}
