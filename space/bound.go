package space

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
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
	choice, primal := choosePrimal(k, xs, o.Solver)
	if !primal && o.Solver == Features {
		return nil, fmt.Errorf("space: solver %q needs a finite feature map, and kernel %s has none: use solver %q", Features, k, Cholesky)
	} else if !primal {
		dual, err := DualOf(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), o)
		b.Space = dual
		return b, err
	}
	in, err := primalOf(ctx, k, xs, o)
	if err != nil {
		return nil, err
	}
	in.choice, b.Space = choice, in
	return b, nil
}

// primalOf returns the space of the features of a kernel.
func primalOf[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (*Primal, error) {
	features, _ := design.Of(k, xs)
	rows := features.Blocks()
	if !o.Streamed {
		var err error
		if rows, err = features.BlocksWithin(ctx, o.Compute); err != nil {
			return nil, err
		}
	}
	in := newPrimal(rows, o.Compute)
	if low, ok := k.(onLandmarks[T]); ok {
		in.on = landmarksOf(low, xs, o)
	}
	return in, nil
}

// ChoosePrimal says whether [Of] returns the space of the features of a kernel for a solver, and
// their number where the kernel has them.
func ChoosePrimal[T any](k kernel.Kernel[T], xs data.Set[T], s Solver) (dim int, primal bool) {
	choice, primal := choosePrimal(k, xs, s)
	return choice.Features, primal
}

func choosePrimal[T any](k kernel.Kernel[T], xs data.Set[T], s Solver) (c Choice, primal bool) {
	features, ok := design.Of(k, xs)
	c = Choice{Solver: Features, Features: features.Dim, Why: "as asked"}
	switch {
	case !ok:
		return Choice{}, false
	case s == Features:
		return c, true
	case s.InFeatures(features.Dim, xs.Len()):
		c.Why = fmt.Sprintf("auto: the kernel has a feature map of %d dimensions, fewer than %d rows", features.Dim, xs.Len())
		return c, true
	}
	return c, false
}

// ChooseSample returns the number of rows that [Regress] will sample for a solution alone where the
// features of k are on landmarks. It also returns the share of the time that this takes of the sum
// of all rows; 0 and 1 where it makes that sum, or solves otherwise. total is Σ vᵢ.
func ChooseSample[T any](k kernel.Kernel[T], xs data.Set[T], targets int, total, ridge float64, o Options) (rows int, share float64) {
	low, ok := k.(onLandmarks[T])
	if _, primal := choosePrimal(k, xs, o.Solver); !ok || !primal || !stable(low.Factor(), total, ridge) {
		return 0, 1
	}
	on := landmarksOf(low, xs, o)
	if rows = on.rowsToSample(targets); rows == 0 {
		return 0, 1
	}
	times := on.times(targets)
	return rows, times.by(rows) / times.whole()
}

// Function returns the function with the coordinates theta and the constants bias, about the
// origin of the points: a [*model.Primal] in features, else a [*model.Expansion] over the points.
func (b *Bound[T]) Function(theta *mat.Dense, bias []float64) model.Predictor[T] {
	if _, ok := b.Space.(*Primal); ok {
		return &model.Primal[T]{Kernel: b.Kernel.(kernel.Mapped[T]), W: theta, Bias: bias, Like: b.Points.At(0)}
	}
	return &model.Expansion[T]{Kernel: b.Kernel, Points: b.Points, Coef: theta, Bias: bias}
}
