package erm

import (
	"context"
	"fmt"

	"example.org/mercer/data"
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
	if err := o.Check(xs.Len(), y, losses...); err != nil {
		return nil, nil, err
	}
	in, err := space.Of(ctx, k, xs, o.Space())
	if err != nil {
		return nil, nil, fmt.Errorf("erm: %w", err)
	}
	sol, reports, err := solveAll(ctx, in.Space, y, losses, o)
	if err != nil {
		return nil, nil, err
	}
	f := &fitted[T]{predictor: in.Function(sol.Coef, sol.Bias), solution: sol}
	if e, ok := f.predictor.(*model.Expansion[T]); ok {
		f.predictor, f.rows = e.Compact(), e.Support()
	}
	return f, reports, nil
}
