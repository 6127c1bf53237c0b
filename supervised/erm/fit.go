package erm

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Fit learns f from the points xs, the targets y and the loss l. It returns a
// [*model.Primal] where the solver is [Primal], and a [*model.Expansion] over xs
// otherwise, without the points whose coefficients are zero; the two are the same
// function up to rounding. Cost and errors are those of [Solve], and of points outside
// the domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []float64, l loss.Loss, o Options) (model.Predictor[T], *Report, error) {
	f, reports, err := fitModel(ctx, k, xs, y, []loss.Loss{l}, o)
	if err != nil {
		return nil, nil, err
	}
	reports[0].Rows = f.rows
	return f.predictor, reports[0], nil
}

// fitted is a model, the rows that it is an expansion over, nil where it has weights of
// features, and the solution for all rows.
type fitted[T any] struct {
	predictor model.Predictor[T]
	rows      []int
	solution  *Solution
}

func fitModel[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []float64, losses []loss.Loss, o Options) (*fitted[T], []*Report, error) {
	if err := validateAll(xs.Len(), y, losses, &o); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("erm: %w", err)
	}
	features, ok := gram.DesignOf(k, xs)
	switch {
	case ok && o.Solver == Primal:
		return fitPrimal(ctx, k, features, "as asked", xs, y, losses, o)
	case ok && o.Solver != Cholesky && features.Dim < xs.Len():
		return fitPrimal(ctx, k, features, fmt.Sprintf("auto: the kernel has a feature map of %d dimensions, fewer than %d rows", features.Dim, xs.Len()), xs, y, losses, o)
	case o.Solver == Primal:
		return nil, nil, fmt.Errorf("erm: solver %q needs a finite feature map, and kernel %s has none: use solver %q", Primal, k, Cholesky)
	}
	sol, reports, err := solveAll(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), y, losses, o)
	if err != nil {
		return nil, nil, err
	}
	e := &model.Expansion[T]{Kernel: k, Points: xs, Coef: sol.Coef, Bias: sol.Bias}
	return &fitted[T]{predictor: e.Compact(), rows: e.Support(), solution: sol}, reports, nil
}

func fitPrimal[T any](ctx context.Context, k kernel.Kernel[T], features gram.Design, why string, xs data.Set[T], y []float64, losses []loss.Loss, o Options) (*fitted[T], []*Report, error) {
	s, err := space.NewPrimal(ctx, features, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	if !o.NoIntercept {
		if err := s.Centre(ctx, o.Weights, o.Compute); err != nil {
			return nil, nil, err
		}
	}
	sol, reports, err := fitAll(ctx, s, y, losses, &o, &Report{Solver: Primal, Why: why, Features: features.Dim})
	if err != nil {
		return nil, nil, err
	}
	f := &model.Primal[T]{Kernel: k.(kernel.Mapped[T]), W: sol.Coef, Bias: sol.Bias, Like: xs.At(0)}
	return &fitted[T]{predictor: f, solution: sol}, reports, nil
}
