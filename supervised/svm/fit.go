package svm

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Fit learns a classifier from the points xs and their classes y[i] ≥ 0. The expansion
// over the support vectors has one output per machine; [Report.Decision] turns their
// values into a class. Cost and errors are those of [Solve], and of points outside the
// domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o Options) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	return expand(k, xs)(classify(ctx, points[T]{k, xs}, xs.Len(), y, o))
}

// FitRegression learns a function from the points xs and the targets y, as
// [SolveRegression] does.
func FitRegression[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []float64, o Options) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	return expand(k, xs)(regress(ctx, points[T]{k, xs}, xs.Len(), y, o))
}

// FitOneClass learns where the points xs lie, as [SolveOneClass] does.
func FitOneClass[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	return expand(k, xs)(detect(ctx, points[T]{k, xs}, xs.Len(), o))
}

// expand makes a function over the support vectors of a solution.
func expand[T any](k kernel.Kernel[T], xs data.Set[T]) func(*Solution, *Report, error) (*model.Expansion[T], *Report, error) {
	return func(s *Solution, r *Report, err error) (*model.Expansion[T], *Report, error) {
		if err != nil {
			return nil, nil, err
		}
		all := &model.Expansion[T]{Kernel: k, Points: xs, Coef: s.Coef, Bias: s.Bias}
		r.Support = all.Support()
		return all.Compact(), r, nil
	}
}
