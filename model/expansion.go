package model

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
)

// tileCols is the number of kernel values that are summed at a time for one point.
const tileCols = 256

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

// Predict returns the len(xs)×m matrix fⱼ(xs[i]). The matrix of kernel values
// between xs and the points is computed tile by tile and never held as a whole:
// O(len(xs)·n) kernel values, O(workers) tiles of memory besides what binding the
// kernel packs. A row has the same bits for any number of workers and in whatever
// company it is predicted.
//
// Points outside the domain of the kernel, or of another length than the training
// points, are errors that name the first such row, counted from 0.
func (e *Expansion[T]) Predict(ctx context.Context, xs data.Set[T], o gram.Options) (*mat.Dense, error) {
	if err := e.admit(xs); err != nil {
		return nil, err
	}
	if xs.Len() == 0 {
		return &mat.Dense{}, nil
	}
	out := mat.NewDense(xs.Len(), e.Outputs(), nil)
	pairs, alpha := kernel.Bind(e.Kernel, xs, e.Points), columns(e.Coef)
	err := blocks(ctx, xs.Len(), "predict", o, func(ctx context.Context, from, to int) error {
		return e.predictRows(ctx, out, pairs, alpha, from, to)
	})
	if err != nil {
		return nil, err
	}
	addBias(out, e.Bias)
	return out, nil
}

// predictRows stores Σᵢ αᵢⱼ k(x, xᵢ) for the points from … to−1: the columns of
// kernel values are summed in fixed tiles, in order.
func (e *Expansion[T]) predictRows(ctx context.Context, out *mat.Dense, pairs kernel.Pairs, alpha [][]float64, from, to int) error {
	_, n := pairs.Dims()
	buffer := make([]float64, (to-from)*min(tileCols, n))
	for col := 0; col < n; col += tileCols {
		if err := ctx.Err(); err != nil {
			return err
		}
		cols := min(tileCols, n-col)
		tile := kernel.Tile{Rows: to - from, Cols: cols, Stride: cols, Data: buffer}
		pairs.Tile(tile, from, col)
		for i := range tile.Rows {
			k, f := tile.Row(i), out.RawRowView(from+i)
			for j := range f {
				f[j] += dot(k, alpha[j][col:col+cols])
			}
		}
	}
	return nil
}

// admit checks the function and the points it is asked about.
func (e *Expansion[T]) admit(xs data.Set[T]) error {
	if err := e.Check(); err != nil {
		return err
	}
	if err := checkLengths(xs, e.Points.At(0)); err != nil {
		return err
	}
	return kernel.Validate(e.Kernel, xs)
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

// Compact returns the same function without the points whose coefficients are all
// exactly zero: e itself when there are none. A function that is constant keeps one
// point, because an expansion over no points has no shape.
func (e *Expansion[T]) Compact() *Expansion[T] {
	n, m := e.Coef.Dims()
	keep := make([]int, 0, n)
	for i := range n {
		for _, a := range e.Coef.RawRowView(i) {
			if a != 0 {
				keep = append(keep, i)
				break
			}
		}
	}
	if len(keep) == n {
		return e
	}
	if len(keep) == 0 {
		keep = append(keep, 0)
	}
	coef := mat.NewDense(len(keep), m, nil)
	for to, from := range keep {
		copy(coef.RawRowView(to), e.Coef.RawRowView(from))
	}
	return &Expansion[T]{Kernel: e.Kernel, Points: data.Subset(e.Points, keep), Coef: coef, Bias: e.Bias}
}

// columns returns the columns of a as contiguous slices.
func columns(a *mat.Dense) [][]float64 {
	n, m := a.Dims()
	out := make([][]float64, m)
	for j := range out {
		out[j] = mat.Col(make([]float64, n), j, a)
	}
	return out
}

// dot returns Σᵢ xᵢyᵢ in the fixed order of the BLAS in use.
func dot(x, y []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(x), Inc: 1, Data: x}, blas64.Vector{N: len(y), Inc: 1, Data: y})
}

var _ Predictor[[]float64] = (*Expansion[[]float64])(nil)
