package kpca

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/linalg"
	"mercer/model"
)

// storeBytes is the size up to which [Lanczos] stores the triangle of the matrix where
// no memory limit is given.
const storeBytes = 4 << 30

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

// store computes the triangle of the matrix once if it fits.
func (j *job) store(ctx context.Context, pairs kernel.Pairs) error {
	n, k := len(j.diag), j.o.Components
	limit := j.o.Compute.MaxMemory
	if limit <= 0 {
		limit = storeBytes
	}
	basis := 8 * int64(n) * int64(4*k+20*48) // what linalg.TopEigen holds, for its widest block
	if gram.PackedBytes(n, j.o.Compute.Precision)+basis > limit {
		j.report.Storage = "stream"
		return nil
	}
	if j.o.Compute.Precision == gram.Single {
		p, err := gram.PackedSingleOf(ctx, pairs, j.o.Compute)
		if err != nil {
			return err
		}
		j.op, j.report.Storage = &single{p, n, j.linalg()}, "packed single"
	} else {
		p, err := gram.PackedOf(ctx, pairs, j.o.Compute)
		if err != nil {
			return err
		}
		j.op, j.report.Storage = &double{p, j.linalg()}, "packed"
	}
	j.watch.Lap(&j.report.Run, "gram")
	return nil
}

func (j *job) linalg() linalg.Options {
	return linalg.Options{Workers: j.o.Compute.Workers}
}

// double and single multiply with a stored triangle on the workers of the options.
type double struct {
	*linalg.Packed
	o linalg.Options
}

func (d *double) Mul(ctx context.Context, dst, x *mat.Dense) error {
	return d.MulWith(ctx, dst, x, d.o)
}

type single struct {
	triangle *linalg.PackedSingle
	n        int
	o        linalg.Options
}

func (s *single) Dims() (rows, cols int) { return s.n, s.n }

func (s *single) Mul(ctx context.Context, dst, x *mat.Dense) error {
	return s.triangle.MulWith(ctx, dst, x, s.o)
}
