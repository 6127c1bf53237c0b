package model

import (
	"context"
	"sync"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Bound is an [Expansion] whose points are bound to the kernel once and for all: what a
// server holds. [Expansion.Predict] binds them, which takes about as long as predicting
// some dozen rows, in every call and lets go of them afterwards; Bound keeps the packed
// points, as much memory again as the points themselves.
//
// It is safe for concurrent use. The expansion that it was made of must not be changed
// while it is in use.
type Bound[T any] struct {
	of     *Expansion[T]
	points kernel.BoundColumns[T]
	coef   *mat.Dense // transposed
	pairs  sync.Pool  // of kernel.Pairs that no prediction uses now
}

// Bind returns the same function with its points bound, or the error of
// [Expansion.Check].
func (e *Expansion[T]) Bind() (*Bound[T], error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	return &Bound[T]{of: e, points: kernel.BindColumns(e.Kernel, e.Points), coef: mat.DenseCopyOf(e.Coef.T())}, nil
}

// Outputs returns the number of functions.
func (b *Bound[T]) Outputs() int { return b.of.Outputs() }

// Predict returns what [Expansion.Predict] does, to the bit.
func (b *Bound[T]) Predict(ctx context.Context, xs data.Set[T], o compute.Options) (*mat.Dense, error) {
	out := new(mat.Dense)
	if err := b.PredictInto(ctx, out, xs, o); err != nil {
		return nil, err
	}
	return out, nil
}

// PredictInto stores the predictions in dst, which is given its size if it is empty. A
// dst of the right size makes a prediction of few rows free of garbage.
func (b *Bound[T]) PredictInto(ctx context.Context, dst *mat.Dense, xs data.Set[T], o compute.Options) error {
	if err := b.of.admit(xs); err != nil {
		return err
	}
	old, _ := b.pairs.Get().(kernel.Pairs)
	pairs := b.points.Bind(xs, old)
	defer b.pairs.Put(pairs)
	return b.of.multiply(ctx, dst, pairs, b.coef, o)
}

var _ Predictor[[]float64] = (*Bound[[]float64])(nil)
