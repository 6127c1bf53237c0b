package gram

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// Source is n rows of which any can be bound to any: points with a kernel ([On]), or the rows of a
// Gram matrix ([RowsOf]). Solvers that look at parts of the matrix take one: the working sets of a
// support vector machine, the choice of landmarks.
//
// Bind returns the kernel bound to the given rows and columns; nil stands for all of them, in
// order. An index may repeat. A Source is safe for concurrent use.
//
// A source may do more, which its users ask for by interfaces of their own; gramtest.RunSource
// checks all of it, and that a [Subset] keeps it:
//
//	Design(rows []int) (d design.Matrix, ok bool)       // explicit features of the rows
//	Columns(cols []int, maxBytes int64) (
//		bind func(rows []int, reuse kernel.Pairs) kernel.Pairs, ok bool)
//	Diagonal(ctx context.Context, dst []float64, rows []int, workers int) (ok bool, err error)
//	Pairs() kernel.Pairs                         // all rows, which are bound already
//	Subset(rows []int) Source
//
// Columns binds the columns alone, in about maxBytes of packed points (0: no limit), and bind gives
// the pairs of Bind; reuse is nil or the result of an earlier call that is not used any more.
// Diagonal stores k(x, x) without binding the rows, where that is cheaper.
type Source interface {
	Len() int
	Bind(rows, cols []int) kernel.Pairs
}

// On returns a kernel on points of any type. Binding some of the points packs these alone.
func On[T any](k kernel.Kernel[T], xs data.Set[T]) Source { return points[T]{k, xs} }

// RowsOf returns the rows of a symmetric matrix that is bound already.
func RowsOf(p kernel.Pairs) Source { return matrixRows{of: p} }

// SourceOf returns the rows of a symmetric operator. An operator that does not know its elements is
// multiplied out, see [Materialize].
func SourceOf(ctx context.Context, op Operator, o compute.Options) (Source, error) {
	if rows, cols := op.Dims(); rows != cols {
		return nil, fmt.Errorf("gram: a %d×%d operator has no rows that can be bound to each other: a Gram matrix of one set is square", rows, cols)
	}
	if known, ok := op.(Symmetric); ok {
		return RowsOf(known.Pairs()), nil
	}
	dense, err := Materialize(ctx, op, o)
	if err != nil {
		return nil, err
	}
	return RowsOf(FromMatrix(dense).Pairs()), nil
}

// Subset returns some rows of a source as a source, with all that the whole can do; nil stands for
// all rows.
func Subset(s Source, rows []int) Source {
	if rows == nil {
		return s
	}
	if able, ok := s.(interface{ Subset(rows []int) Source }); ok {
		return able.Subset(rows)
	}
	return subset{of: s, rows: rows}
}

// points is a kernel with its points.
type points[T any] struct {
	k  kernel.Kernel[T]
	xs data.Set[T]
}

func (p points[T]) Len() int { return p.xs.Len() }

// Bind binds the same points on both sides where the same indices are given.
func (p points[T]) Bind(rows, cols []int) kernel.Pairs {
	left := p.some(rows)
	if sameIndex(rows, cols) {
		return kernel.Bind(p.k, left, left)
	}
	return kernel.Bind(p.k, left, p.some(cols))
}

// some returns the points of some rows, the whole set itself where these are all of them in order.
func (p points[T]) some(rows []int) data.Set[T] {
	if rows = natural(rows, p.xs.Len()); rows == nil {
		return p.xs
	}
	return data.Subset(p.xs, rows)
}

// Subset is a source on the points of the rows.
func (p points[T]) Subset(rows []int) Source { return points[T]{p.k, p.some(rows)} }

// Design is that of the kernel, where it has an explicit map.
func (p points[T]) Design(rows []int) (d design.Matrix, ok bool) {
	if d, ok = design.Of(p.k, p.xs); !ok || natural(rows, p.Len()) == nil {
		return d, ok
	}
	return design.Of(p.k, p.some(rows))
}

// bytesPacked is what packed columns take for a number of a vector: once in each precision.
const bytesPacked = 12

// Columns binds the columns of the columns. Those of dense vectors are refused where they would
// take more than maxBytes.
func (p points[T]) Columns(cols []int, maxBytes int64) (bind func(rows []int, reuse kernel.Pairs) kernel.Pairs, ok bool) {
	of := p.some(cols)
	if v, dense := any(of).(data.Vectors); dense && maxBytes > 0 && int64(v.Len())*int64(v.Dim())*bytesPacked > maxBytes {
		return nil, false
	}
	anchored := kernel.BindColumns(p.k, of)
	return func(rows []int, reuse kernel.Pairs) kernel.Pairs { return anchored.Bind(p.some(rows), reuse) }, true
}

// diagonalRows is the number of rows that a worker takes at a time.
const diagonalRows = 1024

// Diagonal evaluates vectors one by one: to bind all of them takes much longer. Other kernels share
// work among the points that are bound, and are left to the caller.
func (p points[T]) Diagonal(ctx context.Context, dst []float64, rows []int, workers int) (ok bool, err error) {
	if _, dense := any(p.xs).(data.Vectors); !dense {
		return false, nil
	}
	cut := blocks{len(dst), diagonalRows}
	return true, parallel.Each(ctx, workers, cut.count(), func(_, b int) {
		from, length := cut.at(b)
		for i := from; i < from+length; i++ {
			row, _ := runAt(rows, i, 1)
			x := p.xs.At(row)
			dst[i] = p.k.Eval(x, x)
		}
	})
}

// matrixRows is rows of pairs that are bound already; index numbers them, nil: all in order.
type matrixRows struct {
	of    kernel.Pairs
	index []int
}

func (b matrixRows) Len() int {
	if b.index != nil {
		return len(b.index)
	}
	rows, _ := b.of.Dims()
	return rows
}

// Bind selects elements. All rows in order are the pairs themselves.
func (b matrixRows) Bind(rows, cols []int) kernel.Pairs {
	height, width := b.of.Dims()
	return choose(b.of, natural(b.original(rows), height), natural(b.original(cols), width))
}

// original returns the numbers that rows have among all.
func (b matrixRows) original(rows []int) []int { return compose(b.index, rows) }

// Pairs is all rows bound to each other.
func (b matrixRows) Pairs() kernel.Pairs { return b.Bind(nil, nil) }

// Subset selects rows of these.
func (b matrixRows) Subset(rows []int) Source { return matrixRows{b.of, b.original(rows)} }

// natural returns nil for the numbers 0 … n−1 in order.
func natural(index []int, n int) []int {
	if len(index) == n && n > 0 {
		if first, length := runAt(index, 0, n); first == 0 && length == n {
			return nil
		}
	}
	return index
}

// compose returns index[rows[0]], index[rows[1]], …; a nil list is that of all numbers in order.
func compose(index, rows []int) []int {
	switch {
	case index == nil:
		return rows
	case rows == nil:
		return index
	}
	out := make([]int, len(rows))
	for i, r := range rows {
		out[i] = index[r]
	}
	return out
}

// sameIndex reports whether rows and columns are the same by being the same list.
func sameIndex(rows, cols []int) bool {
	return len(rows) == len(cols) && (rows == nil && cols == nil || len(rows) > 0 && &rows[0] == &cols[0])
}
