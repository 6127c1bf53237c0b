package svm

import (
	"context"
	"fmt"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/model"
)

// Fit learns a classifier from the points xs and their classes y[i] ≥ 0. The expansion
// over the support vectors has one output per machine; [Report.Decision] turns their
// values into a class. Cost and errors are those of [Solve], and of points outside the
// domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o Options) (*model.Expansion[T], *Report, error) {
	return fit(k, xs, o, func(op gram.Operator) (*Solution, *Report, error) { return Solve(ctx, op, y, o) })
}

// FitRegression learns a function from the points xs and the targets y, as
// [SolveRegression] does.
func FitRegression[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []float64, o Options) (*model.Expansion[T], *Report, error) {
	return fit(k, xs, o, func(op gram.Operator) (*Solution, *Report, error) { return SolveRegression(ctx, op, y, o) })
}

// FitOneClass learns where the points xs lie, as [SolveOneClass] does.
func FitOneClass[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (*model.Expansion[T], *Report, error) {
	return fit(k, xs, o, func(op gram.Operator) (*Solution, *Report, error) { return SolveOneClass(ctx, op, o) })
}

// fit binds the kernel, solves, and keeps the support vectors.
func fit[T any](k kernel.Kernel[T], xs data.Set[T], o Options, solve func(gram.Operator) (*Solution, *Report, error)) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	sol, report, err := solve(gram.Of(kernel.Bind(k, xs, xs), o.Compute))
	if err != nil {
		return nil, nil, err
	}
	all := &model.Expansion[T]{Kernel: k, Points: xs, Coef: sol.Coef, Bias: sol.Bias}
	return all.Compact(), report, nil
}
