package kpca

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Fit analyses the points xs in the RKHS of k by [Solve]. The expansion has one output
// for each component: its values at any points are their scores, centred with the mean
// of xs. Errors are those of [Solve] on [Gram], and of points outside the domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (*model.Expansion[T], *Report, error) {
	if err := o.validate(xs.Len()); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("kpca: %w", err)
	}
	sol, report, err := Solve(ctx, Gram{gram.Of(kernel.Bind(k, xs, xs), o.Compute)}, o)
	if err != nil {
		return nil, nil, err
	}
	return &model.Expansion[T]{Kernel: k, Points: xs, Coef: sol.Coef, Bias: sol.Bias}, report, nil
}

// store computes the triangle of the matrix once if it fits beside the basis of
// [linalg.TopEigen].
func (j *analysis) store(ctx context.Context, pairs kernel.Pairs) (err error) {
	basis, _, _ := linalg.TopDemand(len(j.diag), j.o.Components)
	if j.op, j.report.Storage, err = gram.CachedOperator(ctx, pairs, basis, j.o.Compute); err != nil {
		return err
	}
	if j.report.Storage != gram.InStream {
		j.watch.Lap(&j.report.Run, "gram")
	}
	return nil
}
