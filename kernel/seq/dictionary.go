package seq

import (
	"math"

	"mercer/kernel"
	"mercer/kernel/expr"
)

// Dictionary returns the names of this package's kernels.
func Dictionary() expr.Dictionary[string] {
	return expr.Dictionary[string]{Kernels: map[string]expr.Entry[string]{
		"spectrum": {
			Arguments: []expr.Argument{{Name: "k", Kind: expr.NumberArg, Default: "3", Help: "length of the words"}},
			Summary:   "inner product of the counts of words of length k",
			Build: func(a *expr.Args) (kernel.Kernel[string], error) {
				k := a.Number("k", 3)
				if !(k >= 1) || k != math.Trunc(k) || k > math.MaxInt32 {
					return nil, a.Errorf("k", "k=%v is not a length: give a whole number, 1 or more", k)
				}
				return Spectrum{K: int(k)}, nil
			},
		},
	}}
}
