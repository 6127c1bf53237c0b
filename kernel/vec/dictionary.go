package vec

import (
	"math"

	"mercer/kernel"
	"mercer/kernel/expr"
	"mercer/kernel/formula"
)

type entry = expr.Entry[[]float64]

// Dictionary returns the names of this package's kernels, with columns selected by
// the names of the schema. The caller may extend it.
func Dictionary(schema Schema) expr.Dictionary[[]float64] {
	d := expr.Dictionary[[]float64]{
		Kernels: map[string]entry{
			"linear": {Summary: "⟨x,y⟩", Build: func(*expr.Args) (Kernel, error) { return Linear{}, nil }},
			"cosine": {Summary: "⟨x,y⟩/(‖x‖‖y‖)", Build: func(*expr.Args) (Kernel, error) { return Cosine{}, nil }},
			"bilinear": {
				Summary:   "xᵀAy with A ⪰ 0",
				Arguments: []expr.Argument{{Name: "matrix", Kind: expr.ListArg, Help: "the rows of A, one after another"}},
				Build: func(a *expr.Args) (Kernel, error) {
					return NewBilinear(a.List("matrix"))
				},
			},
			"poly":     polyEntry,
			"tanh":     tanhEntry,
			"rbf":      rbfEntry,
			"gaussian": rbfEntry,
			"laplace":  laplaceEntry,
			"laplace1": laplace1Entry,
			"matern":   maternEntry,
			"rq":       rqEntry,
			"periodic": periodicEntry,
			"white": {
				Summary:   "v if x = y, else 0",
				Arguments: []expr.Argument{{Name: "value", Kind: expr.NumberArg, Default: "1", Help: "variance v > 0"}},
				Build: func(a *expr.Args) (Kernel, error) {
					v := a.Number("value", 1)
					if err := positive("value", v); err != nil {
						return nil, a.Errorf("value", "white: %w", err)
					}
					return White{Value: v}, nil
				},
			},
			"constant": {
				Summary:   "the constant c ≥ 0",
				Arguments: []expr.Argument{{Name: "value", Kind: expr.NumberArg, Default: "1", Help: "c ≥ 0"}},
				Build: func(a *expr.Args) (Kernel, error) {
					v := a.Number("value", 1)
					if !(v >= 0) || math.IsInf(v, 1) {
						return nil, a.Errorf("value", "constant: value = %s must be a finite number of at least 0", number(v))
					}
					return kernel.Constant[[]float64]{Value: v}, nil
				},
			},
			"formula": {
				Summary:   "any formula in x and y",
				Arguments: []expr.Argument{{Name: "text", Kind: expr.StringArg, Help: "such as \"exp(-abs(x-y))\""}},
				Build: func(a *expr.Args) (Kernel, error) {
					k, err := formula.New(a.Text("text", ""))
					if err != nil {
						return nil, a.Errorf("text", "%w", err)
					}
					return k, nil
				},
			},
		},
		Select: func(k Kernel, patterns []string) (Kernel, error) {
			index, err := schema.Indices(patterns)
			if err != nil {
				return nil, err
			}
			return Columns{Of: k, Patterns: patterns, Index: index, Names: schema.namesOf(index)}, nil
		},
		Function: formula.Function,
		Map:      formula.Map,
		Refused: map[string]string{
			"laplacian": "the name is ambiguous: write laplace(sigma=…) for the Euclidean norm exp(−‖x−y‖₂/σ), or laplace1(sigma=…) for the sum of absolute differences exp(−‖x−y‖₁/σ)",
			"sigmoid":   "write tanh(scale=…, offset=…), which is not positive definite",
			"max":       "the maximum is not positive definite (k(0,0)k(1,1) < k(0,1)²); formula(\"max(x,y)\") can be checked",
			"lcm":       "the least common multiple is not positive definite (k(1,1)k(2,2) < k(1,2)²); formula(\"lcm(x,y)\") can be checked",
		},
	}
	for _, n := range numberKernels {
		d.Kernels[n.name] = entry{Summary: n.formula, Build: func(*expr.Args) (Kernel, error) { return Number{of: n}, nil }}
	}
	return d
}

// namesOf returns the names of coordinates, or nil where there are none.
func (s Schema) namesOf(index []int) []string {
	if s.Names == nil {
		return nil
	}
	names := make([]string, len(index))
	for i, j := range index {
		names[i] = s.Names[j]
	}
	return names
}

// Parse reads a kernel on vectors without column names. See [mercer/kernel/expr] for
// the language.
func Parse(text string) (Kernel, error) { return ParseWith(text, Schema{}) }

// ParseWith reads a kernel on vectors whose coordinates have names.
func ParseWith(text string, schema Schema) (Kernel, error) {
	return expr.ParseKernel(text, Dictionary(schema))
}
