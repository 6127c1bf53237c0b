package expr_test

import (
	"fmt"
	"math"
	"path"
	"slices"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

// The toy dictionary of these tests: three kernels on vectors with the columns age,
// bmi and hist0 … hist2.

type gauss struct{ sigma []float64 }

func (k gauss) Eval(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		s := k.sigma[min(i, len(k.sigma)-1)]
		sum += (x[i] - y[i]) * (x[i] - y[i]) / (2 * s * s)
	}
	return math.Exp(-sum)
}

func (k gauss) String() string {
	if len(k.sigma) == 1 {
		return fmt.Sprintf("gauss(sigma=%v)", k.sigma[0])
	}
	text := "gauss(sigma=["
	for i, s := range k.sigma {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprint(s)
	}
	return text + "])"
}

type dot struct{}

func (dot) Eval(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
func (dot) String() string { return "dot" }

// onColumns is a kernel on chosen coordinates.
type onColumns struct {
	of       kernel.Kernel[[]float64]
	index    []int
	patterns []string
}

func (k onColumns) Eval(x, y []float64) float64 { return k.of.Eval(k.pick(x), k.pick(y)) }
func (k onColumns) String() string              { return k.of.String() + expr.FormatColumns(k.patterns) }
func (k onColumns) pick(x []float64) []float64 {
	out := make([]float64, len(k.index))
	for i, j := range k.index {
		out[i] = x[j]
	}
	return out
}

var toyColumns = []string{"age", "bmi", "hist0", "hist1", "hist2", "a,b"}

func toySelect(k kernel.Kernel[[]float64], patterns []string) (kernel.Kernel[[]float64], error) {
	var index []int
	for _, p := range patterns {
		before := len(index)
		for j, name := range toyColumns {
			if ok, _ := path.Match(p, name); ok && !slices.Contains(index, j) {
				index = append(index, j)
			}
		}
		if len(index) == before {
			return nil, fmt.Errorf("no column is called %q", p)
		}
	}
	return onColumns{k, index, patterns}, nil
}

func toy() expr.Dictionary[[]float64] {
	return expr.Dictionary[[]float64]{
		Kernels: map[string]expr.Entry[[]float64]{
			"gauss": {
				Summary: "exp(−‖x−y‖²/2σ²)",
				Arguments: []expr.Argument{
					{Name: "sigma", Kind: expr.ListArg}, {Name: "gamma", Kind: expr.NumberArg},
				},
				Build: func(a *expr.Args) (kernel.Kernel[[]float64], error) {
					if a.Has("gamma") {
						return gauss{[]float64{1 / math.Sqrt(2*a.Number("gamma", 0))}}, nil
					}
					for _, s := range a.List("sigma") {
						if !(s > 0) {
							return nil, a.Errorf("sigma", "sigma must be positive, not %v", s)
						}
					}
					return gauss{a.List("sigma")}, nil
				},
			},
			"dot": {
				Summary: "⟨x,y⟩",
				Build:   func(*expr.Args) (kernel.Kernel[[]float64], error) { return dot{}, nil },
			},
			"broken": {
				Summary: "never builds",
				Arguments: []expr.Argument{
					{Name: "text", Kind: expr.StringArg, Default: `""`}, {Name: "mode", Kind: expr.WordArg, Default: "fast"},
				},
				Build: func(a *expr.Args) (kernel.Kernel[[]float64], error) {
					return nil, fmt.Errorf("broken in mode %s: %w", a.Text("mode", "fast"), errBroken)
				},
			},
		},
		Select: toySelect,
		Function: func(text string) (kernel.Function[[]float64], error) {
			if text != "1 + sum(x)" {
				return kernel.Function[[]float64]{}, fmt.Errorf("%q: %w", text, errBroken)
			}
			return kernel.Function[[]float64]{Text: text, At: func(x []float64) float64 {
				sum := 1.0
				for _, v := range x {
					sum += v
				}
				return sum
			}}, nil
		},
		Map: func(text string) (func([]float64) []float64, error) {
			if text != "2*x" {
				return nil, fmt.Errorf("%q: %w", text, errBroken)
			}
			return func(x []float64) []float64 {
				out := make([]float64, len(x))
				for i, v := range x {
					out[i] = 2 * v
				}
				return out
			}, nil
		},
		Refused: map[string]string{"laplacian": "it is ambiguous; write laplace for the l2 norm or laplace1 for the l1 norm"},
	}
}

var errBroken = fmt.Errorf("it is broken")
