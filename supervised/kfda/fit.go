package kfda

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Fit learns the classes y of the points xs. The values of the function are the
// coordinates along the directions; [Report.Decision] makes classes and probabilities
// of them. Cost and errors are those of [Solve], and of points outside the domain of
// the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o Options) (model.Predictor[T], *Report, error) {
	if err := o.validate(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	in, err := space.Of(ctx, k, xs, o.Space())
	if err != nil {
		return nil, nil, fmt.Errorf("kfda: %w", err)
	}
	sol, report, err := Solve(ctx, in.Space, y, o)
	if err != nil {
		return nil, nil, err
	}
	return in.Function(sol.Coef, sol.Bias), report, nil
}
