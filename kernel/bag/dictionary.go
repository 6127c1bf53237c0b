package bag

import (
	"math"
	"slices"
	"strings"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

// Dictionary returns the kernels on bags of points whose kernels another dictionary names:
// mean(of=rbf(sigma=1)).
func Dictionary[T any](elements expr.Dictionary[T]) expr.Dictionary[[]T] {
	of := expr.Argument{Name: "of", Kind: expr.KernelArg, Help: "kernel on the elements of the bags",
		Resolve: func(n expr.Node) (expr.Node, error) { return expr.Resolve(n, elements) }}
	build := func(a *expr.Args, make func(k kernel.Kernel[T]) (kernel.Kernel[[]T], error)) (kernel.Kernel[[]T], error) {
		n, _ := a.Node("of")
		k, err := expr.Build(n, elements)
		if err != nil {
			return nil, err
		}
		return make(k)
	}
	return expr.Dictionary[[]T]{Kernels: map[string]expr.Entry[[]T]{
		"mean": {
			Arguments: []expr.Argument{of},
			Summary:   "bags: the mean of a kernel over the pairs of elements, ⟨μ_X, μ_Y⟩",
			Build: func(a *expr.Args) (kernel.Kernel[[]T], error) {
				return build(a, func(k kernel.Kernel[T]) (kernel.Kernel[[]T], error) { return Mean[T]{k}, nil })
			},
		},
		"sum": {
			Arguments: []expr.Argument{of},
			Summary:   "bags: the sum of a kernel over the pairs of elements",
			Build: func(a *expr.Args) (kernel.Kernel[[]T], error) {
				return build(a, func(k kernel.Kernel[T]) (kernel.Kernel[[]T], error) { return Sum[T]{k}, nil })
			},
		},
		"match": {
			Arguments: []expr.Argument{of, {Name: "p", Kind: expr.NumberArg, Default: "9", Help: "power of the kernel: a whole number, 1 or more; large ones let near pairs decide"}},
			Summary:   "bags: mean(of=k^p), in which the best matches count most",
			Build: func(a *expr.Args) (kernel.Kernel[[]T], error) {
				return build(a, func(k kernel.Kernel[T]) (kernel.Kernel[[]T], error) { return matching(a, k) })
			},
		},
		"maxmatch": {
			Arguments: []expr.Argument{of},
			Summary:   "bags: the best matches of the elements; not positive definite",
			Build: func(a *expr.Args) (kernel.Kernel[[]T], error) {
				return build(a, func(k kernel.Kernel[T]) (kernel.Kernel[[]T], error) { return MaxMatch[T]{k}, nil })
			},
		},
	}}
}

// mostPower bounds the power of match.
const mostPower = 1000

// matching is the mean of a power, which is positive definite for whole numbers p by the theorem of
// Schur. For others it need not be: they are refused.
func matching[T any](a *expr.Args, k kernel.Kernel[T]) (kernel.Kernel[[]T], error) {
	p := a.Number("p", 9)
	if !(p >= 1) || p != math.Trunc(p) || p > mostPower {
		return nil, a.Errorf("p", "p=%v is not a whole number from 1 to %d; other powers of a kernel need not be positive definite", p, mostPower)
	}
	if p == 1 {
		return Mean[T]{k}, nil
	}
	return Mean[T]{kernel.Power[T]{Of: k, Degree: int(p)}}, nil
}

// Sets returns the kernels on sets of words.
func Sets() expr.Dictionary[[]string] {
	return expr.Dictionary[[]string]{Kernels: map[string]expr.Entry[[]string]{
		"set": {
			Arguments: []expr.Argument{{Name: "by", Kind: expr.WordArg, Default: "jaccard", Help: strings.Join(Measures, ", ")}},
			Summary:   "sets of words: the elements in common, by their number or a share",
			Build: func(a *expr.Args) (kernel.Kernel[[]string], error) {
				by := slices.Index(Measures, a.Text("by", "jaccard"))
				if by < 0 {
					return nil, a.Errorf("by", "by=%s is not known: use %s", a.Text("by", ""), strings.Join(Measures, ", "))
				}
				return Set{By: Measure(by)}, nil
			},
		},
	}}
}
