package gram

import (
	"context"
	"encoding/gob"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() { gob.Register(atPoints{}) }

// columnsAt is a kernel k with points C: the matrix k(X, C) of rows X is read in passes.
type columnsAt[T any] struct {
	kernel.Kernel[T]
	at    data.Set[T]
	bound kernel.BoundColumns[T]
}

// Columns returns k(X, C), whose rows go by in blocks. A driver of the rows makes the passes, if
// they have one. The points C are bound already.
func Columns[T any](k kernel.Kernel[T], at data.Set[T], bound kernel.BoundColumns[T], xs data.Set[T], o compute.Options) *TallSkinny {
	return columnsAt[T]{k, at, bound}.Sections(xs, o)
}

// ColumnsIn returns k and C of a kernel under which passes over a matrix k(X, C) of rows are made;
// ok is false for other kernels.
func ColumnsIn(k kernel.Kernel[[]float64]) (of kernel.Kernel[[]float64], at data.Set[[]float64], ok bool) {
	c, ok := k.(columnsAt[[]float64])
	return c.Kernel, c.at, ok
}

// Sections returns the matrix of some rows.
func (c columnsAt[T]) Sections(xs data.Set[T], o compute.Options) *TallSkinny {
	t := NewTallSkinny(xs.Len(), c.at.Len(), func(from, to int, reuse kernel.Pairs) kernel.Pairs {
		return c.bound.Bind(data.Run(xs, from, to), reuse)
	}, o)
	t.elsewhere = pass.SenderOf[T](c, xs)
	return t
}

// Construction returns k and C, where points are vectors.
func (c columnsAt[T]) Construction() (of kernel.Kernel[[]float64], by pass.Construction, ok bool) {
	on, ok := any(c).(columnsAt[[]float64])
	if !ok {
		return nil, nil, false
	}
	return on.Kernel, atPoints{pass.PointsOf(on.at)}, true
}

// atPoints gives a kernel points.
type atPoints struct{ At pass.Points }

// Make binds the points.
func (a atPoints) Make(_ context.Context, of kernel.Kernel[[]float64], _ compute.Options) (kernel.Kernel[[]float64], error) {
	at, err := a.At.Vectors()
	if err != nil {
		return nil, err
	}
	return columnsAt[[]float64]{of, at, kernel.BindColumns(of, at)}, nil
}

var _ sectioned = columnsAt[[]float64]{}
