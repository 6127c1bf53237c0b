package compress

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Compress returns the best function on some of the points of f, with the same constants.
// Points with coefficients of exactly zero are left out first. Errors, cost and memory are
// those of [Solve].
func Compress[T any](ctx context.Context, f *model.Expansion[T], o Options) (*model.Expansion[T], *Report, error) {
	g, _, r, err := CompressIndexed(ctx, f, o)
	return g, r, err
}

// CompressIndexed is [Compress] that also returns the numbers of the points that are kept, in the
// order of their choice.
func CompressIndexed[T any](ctx context.Context, f *model.Expansion[T], o Options) (*model.Expansion[T], []int, *Report, error) {
	if err := f.Check(); err != nil {
		return nil, nil, nil, err
	}
	support := f.Support()
	whole := f.Compact()
	kept, coef, r, err := Solve(ctx, gram.Of(kernel.Bind(whole.Kernel, whole.Points, whole.Points), o.Compute), whole.Coef, o)
	if err != nil {
		return nil, nil, nil, err
	}
	r.N = f.Points.Len()
	for i, row := range kept {
		kept[i] = support[row]
	}
	return &model.Expansion[T]{Kernel: f.Kernel, Points: data.Subset(f.Points, kept), Coef: coef, Bias: f.Bias}, kept, r, nil
}

// Solve chooses m of the points of the symmetric Gram matrix k (n×n) for the functions with
// coefficients coef (n×p). It returns their numbers in the order of their choice, with the
// coefficients of the projections (m×p).
//
// Cost: n² + nm kernel values before and n² after the choice, nm² multiplications, 8nm
// bytes, refused with a [*compute.TooLarge] error beyond Compute.MaxMemory. Errors: every
// problem of the options, and an output that is zero everywhere or whose norm is not
// finite. The bits are the same for any number of workers.
func Solve(ctx context.Context, k *gram.Stream, coef *mat.Dense, o Options) (kept []int, beta *mat.Dense, r *Report, err error) {
	if err := o.validate(); err != nil {
		return nil, nil, nil, err
	}
	r = &Report{}
	watch := model.NewStopwatch()
	s, err := start(ctx, k, coef, &o)
	if err != nil {
		return nil, nil, nil, err
	}
	watch.Lap(&r.Run, "values")
	if err := s.choose(ctx); err != nil {
		return nil, nil, nil, err
	}
	if last := s.remaining(); o.Tolerance > 0 && last > o.Tolerance {
		r.Warn("%d points leave a relative distance of %.3g, more than the tolerance %g: %s", len(s.kept), last, o.Tolerance, s.why)
	}
	watch.Lap(&r.Run, "choice")
	beta = s.coefficients()
	r.N, r.Points = len(s.rest), len(s.kept)
	if err := s.certify(ctx, r, coef, beta); err != nil {
		return nil, nil, nil, err
	}
	watch.Lap(&r.Run, "certificate")
	return s.kept, beta, r, nil
}
