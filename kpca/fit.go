package kpca

import (
	"context"
	"fmt"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/model"
)

// Fit analyses the points xs in the RKHS of k. The expansion has one output for each
// component: its values at any points are their scores, centred with the mean of xs.
//
// [Lanczos] multiplies with one triangle of the matrix, in the precision of
// o.Compute, where that fits the memory limit (4 GiB without one), and with values
// that are computed afresh in every product otherwise. Errors are those of [Solve], and
// of points outside the domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (*model.Expansion[T], *Report, error) {
	n := xs.Len()
	if err := o.validate(n); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("kpca: %w", err)
	}
	pairs := kernel.Bind(k, xs, xs)
	stream := gram.Of(pairs, o.Compute)
	diag, err := diagonal(ctx, stream, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	j := newJob(stream, diag, &o)
	if j.report.Solver == Lanczos {
		if err := j.store(ctx, pairs); err != nil {
			return nil, nil, err
		}
	}
	sol, report, err := j.solve(ctx)
	if err != nil {
		return nil, nil, err
	}
	return &model.Expansion[T]{Kernel: k, Points: xs, Coef: sol.Coef, Bias: sol.Bias}, report, nil
}

// store computes the triangle of the matrix once if it fits beside the basis of
// [linalg.TopEigen], of which its widest block decides.
func (j *job) store(ctx context.Context, pairs kernel.Pairs) (err error) {
	n, k := len(j.diag), j.o.Components
	basis := 8 * int64(n) * int64(4*k+20*48)
	if j.op, j.report.Storage, err = gram.Repeated(ctx, pairs, basis, j.o.Compute); err != nil {
		return err
	}
	if j.report.Storage != gram.InStream {
		j.watch.Lap(&j.report.Run, "gram")
	}
	return nil
}
