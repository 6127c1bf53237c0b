package space

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Bound is the space of points, whose functions can be evaluated at others.
type Bound[T any] struct {
	Space  Space
	Kernel kernel.Kernel[T]
	Points data.Set[T]
}

// Of returns the space of points: that of the features of the kernel where [Features] is asked for
// or they are fewer than the rows, and else that of the coefficients of the rows (see [DualOf]).
// Errors: points outside the domain of the kernel, and a kernel without features where they are
// asked for.
func Of[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (*Bound[T], error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, fmt.Errorf("space: %w", err)
	}
	b := &Bound[T]{Kernel: k, Points: xs}
	features, ok := gram.DesignOf(k, xs)
	choice := Choice{Solver: Features, Features: features.Dim}
	switch {
	case ok && o.Solver == Features:
		choice.Why = "as asked"
	case ok && (o.Solver == Auto || o.Solver == "") && features.Dim < xs.Len():
		choice.Why = fmt.Sprintf("auto: the kernel has a feature map of %d dimensions, fewer than %d rows", features.Dim, xs.Len())
	case o.Solver == Features:
		return nil, fmt.Errorf("space: solver %q needs a finite feature map, and kernel %s has none: use solver %q", Features, k, Cholesky)
	default:
		dual, err := DualOf(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), o)
		b.Space = dual
		return b, err
	}
	primal, err := NewPrimal(ctx, features, o.Compute)
	if err != nil {
		return nil, err
	}
	primal.choice, b.Space = choice, primal
	return b, nil
}

// Function returns the function with the coordinates theta and the constants bias, about the
// origin of the points: a [*model.Primal] in features, else a [*model.Expansion] over the points.
func (b *Bound[T]) Function(theta *mat.Dense, bias []float64) model.Predictor[T] {
	if _, ok := b.Space.(*Primal); ok {
		return &model.Primal[T]{Kernel: b.Kernel.(kernel.Mapped[T]), W: theta, Bias: bias, Like: b.Points.At(0)}
	}
	return &model.Expansion[T]{Kernel: b.Kernel, Points: b.Points, Coef: theta, Bias: bias}
}
