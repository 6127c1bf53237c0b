package svm

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Fit learns a classifier from the points xs and their classes y[i] ≥ 0. The expansion
// over the support vectors has one output per problem; [Report.Decision] turns their
// values into a class. Cost and errors are those of [Solve], and of points outside the
// domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o Options) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	return expand(k, xs)(Solve(ctx, Dual{gram.On(k, xs)}, y, o))
}

// FitRegression learns a function from the points xs and the targets y, as
// [SolveRegression] does.
func FitRegression[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []float64, o Options) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	return expand(k, xs)(SolveRegression(ctx, Dual{gram.On(k, xs)}, y, o))
}

// FitOneClass learns where the points xs lie, as [SolveOneClass] does.
func FitOneClass[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (*model.Expansion[T], *Report, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("svm: %w", err)
	}
	return expand(k, xs)(SolveOneClass(ctx, Dual{gram.On(k, xs)}, o))
}

// expand makes a function over the support vectors of a solution.
func expand[T any](k kernel.Kernel[T], xs data.Set[T]) func(*Solution, *Report, error) (*model.Expansion[T], *Report, error) {
	return func(s *Solution, r *Report, err error) (*model.Expansion[T], *Report, error) {
		if err != nil {
			return nil, nil, err
		}
		return expansion(k, xs, s), r, nil
	}
}

// expansion is the function of a solution over its support vectors; the whole set where these are
// all points.
func expansion[T any](k kernel.Kernel[T], xs data.Set[T], s *Solution) *model.Expansion[T] {
	if len(s.Rows) < xs.Len() {
		xs = data.Subset(xs, s.Rows)
	}
	return &model.Expansion[T]{Kernel: k, Points: xs, Coef: s.Coef, Bias: s.Bias}
}
