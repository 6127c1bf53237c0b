package klr

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Fit learns the classes y of the points xs. It returns a [*model.Primal] where the
// solver is [Primal], and a [*model.Expansion] over xs otherwise; the two are the same
// function up to rounding. Their values are the log-odds of class 1, or one column per
// class: see [Probabilities] and [Classes]. Cost and errors are those of [Solve], and
// of points outside the domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o Options) (model.Predictor[T], *Report, error) {
	if err := o.Check(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	in, err := space.Of(ctx, k, xs, o.Space())
	if err != nil {
		return nil, nil, fmt.Errorf("klr: %w", err)
	}
	sol, report, err := Solve(ctx, in.Space, y, o)
	if err != nil {
		return nil, nil, err
	}
	return in.Function(sol.Coef, sol.Bias), report, nil
}
