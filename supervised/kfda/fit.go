package kfda

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Fit learns the classes y of the points xs. The values of the expansion are the
// coordinates along the directions; [Report.Decision] makes classes and probabilities
// of them. Cost and errors are those of [Solve], and of points outside the domain of
// the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o Options) (*model.Expansion[T], *Report, error) {
	if err := o.validate(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("kfda: %w", err)
	}
	sol, report, err := Solve(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), y, o)
	if err != nil {
		return nil, nil, err
	}
	return &model.Expansion[T]{Kernel: k, Points: xs, Coef: sol.Coef, Bias: sol.Bias}, report, nil
}
