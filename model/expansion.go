package model

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// tileCols is the number of contributions that are computed between two looks at ctx.
const tileCols = 4096

// Expansion is a function with m outputs in the span of n kernel sections,
//
//	fⱼ(x) = bⱼ + Σᵢ αᵢⱼ k(x, xᵢ),
//
// the form that the representer theorem gives to every regularised problem in the
// space of the kernel. Points holds the n points xᵢ, Coef the n×m numbers αᵢⱼ and
// Bias the m numbers bⱼ; a nil Bias is zero.
type Expansion[T any] struct {
	Kernel kernel.Kernel[T]
	Points data.Set[T]
	Coef   *mat.Dense
	Bias   []float64
}

// Check returns every reason for which e is not a function: a missing part, or
// numbers of points, coefficients and biases that do not agree.
func (e *Expansion[T]) Check() error {
	if e.Kernel == nil || e.Points == nil {
		return fmt.Errorf("model: an expansion needs a kernel and points")
	}
	return checkFunction(e.Coef, e.Bias, e.Points.Len(), "Coef", "points")
}

// Outputs returns m, the number of functions.
func (e *Expansion[T]) Outputs() int {
	_, m := e.Coef.Dims()
	return m
}

// Predict returns the len(xs)×m matrix fⱼ(xs[i]), the product of the bound kernel
// with Coef as [gram.Stream] computes it: tile by tile, the matrix of kernel values
// is never held as a whole. Cost: len(xs)·n kernel values, O(workers) tiles of memory
// besides what binding the kernel packs; the same bits for any number of workers.
//
// Points outside the domain of the kernel, or of another length than the training
// points, are errors that name the first such row, counted from 0.
func (e *Expansion[T]) Predict(ctx context.Context, xs data.Set[T], o compute.Options) (*mat.Dense, error) {
	out := new(mat.Dense)
	if err := e.PredictInto(ctx, out, xs, o); err != nil {
		return nil, err
	}
	return out, nil
}

// PredictInto is [Expansion.Predict] into dst, which is given its size if it is empty.
func (e *Expansion[T]) PredictInto(ctx context.Context, dst *mat.Dense, xs data.Set[T], o compute.Options) error {
	if err := e.admit(xs); err != nil {
		return err
	}
	return e.multiply(ctx, dst, kernel.Bind(e.Kernel, xs, e.Points), mat.DenseCopyOf(e.Coef.T()), o)
}

// multiply stores pairs·coef + bias in dst, given the transpose of coef.
func (e *Expansion[T]) multiply(ctx context.Context, dst *mat.Dense, pairs kernel.Pairs, coef *mat.Dense, o compute.Options) error {
	if err := gram.Cross(pairs, predicting(o)).MulTrans(ctx, dst, coef); err != nil {
		return err
	}
	addBias(dst, e.Bias)
	return nil
}

// predicting gives the progress of a computation the name that the user knows.
func predicting(o compute.Options) compute.Options {
	if tell := o.Progress; tell != nil {
		o.Progress = func(_ string, done, total int64) { tell("predict", done, total) }
	}
	return o
}

// admit checks the function and the points it is asked about.
func (e *Expansion[T]) admit(xs data.Set[T]) error {
	if err := e.Check(); err != nil {
		return err
	}
	if err := checkLengths(xs, e.Points.At(0)); err != nil {
		return err
	}
	if err := kernel.Validate(e.Kernel, xs); err != nil {
		return err
	}
	if i, err := kernel.CheckCompatible(e.Kernel, xs, e.Points.At(0)); err != nil {
		return fmt.Errorf("kernel %s: row %d cannot be compared with the points of the model: %w", e.Kernel, i, err)
	}
	return nil
}

// Contributions returns the n×m matrix of the terms αᵢⱼ k(x, xᵢ): what each training
// point carries of fⱼ(x) − bⱼ.
func (e *Expansion[T]) Contributions(ctx context.Context, x T) (*mat.Dense, error) {
	one := data.Slice[T]{x}
	if err := e.admit(one); err != nil {
		return nil, err
	}
	pairs, out := kernel.Bind(e.Kernel, data.Set[T](one), e.Points), mat.DenseCopyOf(e.Coef)
	n, m := out.Dims()
	tile := kernel.NewTile(1, min(tileCols, n))
	for col := 0; col < n; col += tileCols {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tile.Cols = min(tileCols, n-col)
		pairs.Tile(tile, 0, col)
		for i, k := range tile.Row(0) {
			blas64.Scal(k, blas64.Vector{N: m, Inc: 1, Data: out.RawRowView(col + i)})
		}
	}
	return out, nil
}

// Support returns the indices of the points whose coefficients are not all exactly
// zero, ascending: the support vectors. For a function that is constant it is the
// first point, because an expansion over no points has no shape.
func (e *Expansion[T]) Support() []int {
	n, _ := e.Coef.Dims()
	keep := make([]int, 0, n)
	for i := range n {
		for _, a := range e.Coef.RawRowView(i) {
			if a != 0 {
				keep = append(keep, i)
				break
			}
		}
	}
	if len(keep) == 0 {
		keep = append(keep, 0)
	}
	return keep
}

// Compact returns the same function on its [Expansion.Support] alone: e itself when
// that is all points.
func (e *Expansion[T]) Compact() *Expansion[T] {
	n, m := e.Coef.Dims()
	keep := e.Support()
	if len(keep) == n {
		return e
	}
	coef := mat.NewDense(len(keep), m, nil)
	for to, from := range keep {
		copy(coef.RawRowView(to), e.Coef.RawRowView(from))
	}
	return &Expansion[T]{Kernel: e.Kernel, Points: data.Subset(e.Points, keep), Coef: coef, Bias: e.Bias}
}

var _ Predictor[[]float64] = (*Expansion[[]float64])(nil)
