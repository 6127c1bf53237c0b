package klr

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/gram"
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
	if err := o.validate(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("klr: %w", err)
	}
	features, ok := gram.DesignOf(k, xs)
	switch {
	case ok && o.Solver == Primal:
		return fitPrimal(ctx, k, features, "as asked", xs, y, o)
	case ok && o.Solver != Cholesky && features.Dim < xs.Len():
		return fitPrimal(ctx, k, features, fmt.Sprintf("auto: the kernel has a feature map of %d dimensions, fewer than %d rows", features.Dim, xs.Len()), xs, y, o)
	case o.Solver == Primal:
		return nil, nil, fmt.Errorf("klr: solver %q needs a finite feature map, and kernel %s has none: use solver %q", Primal, k, Cholesky)
	}
	sol, report, err := Solve(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), y, o)
	if err != nil {
		return nil, nil, err
	}
	return &model.Expansion[T]{Kernel: k, Points: xs, Coef: sol.Coef, Bias: sol.Bias}, report, nil
}

// fitPrimal runs Newton's method on the weights of the features.
func fitPrimal[T any](ctx context.Context, k kernel.Kernel[T], features gram.Design, why string, xs data.Set[T], y []int, o Options) (model.Predictor[T], *Report, error) {
	j := newJob(y, &o)
	j.report.Solver, j.report.Why, j.report.Features = Primal, why, features.Dim
	s, err := space.NewPrimal(ctx, features, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	if !o.NoIntercept {
		if err := s.Centre(ctx, o.Weights, o.Compute); err != nil {
			return nil, nil, err
		}
	}
	j.watch.Lap(&j.report.Run, "mean")
	f, err := j.run(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	return &model.Primal[T]{Kernel: k.(kernel.Mapped[T]), W: f.Theta, Bias: j.bias(s, f), Like: xs.At(0)}, j.report, nil
}
