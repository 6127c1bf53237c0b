package nystrom

import (
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// Points are what landmarks are chosen from in index space: kernel values between some
// rows and others. Nil stands for all of them.
type Points interface {
	Len() int
	Bind(rows, cols []int) kernel.Pairs
}

// PointsOf returns a kernel on points of any type. Binding some of them packs those alone.
func PointsOf[T any](k kernel.Kernel[T], xs data.Set[T]) Points { return points[T]{k, xs} }

type points[T any] struct {
	k  kernel.Kernel[T]
	xs data.Set[T]
}

func (p points[T]) Len() int { return p.xs.Len() }

func (p points[T]) Bind(rows, cols []int) kernel.Pairs {
	return kernel.Bind(p.k, p.some(rows), p.some(cols))
}

// some returns the points of some rows.
func (p points[T]) some(rows []int) data.Set[T] {
	if rows == nil {
		return p.xs
	}
	return data.Subset(p.xs, rows)
}

// diagonalRows is the number of points that are bound together for the diagonal. A constant,
// because bits may depend on it.
const diagonalRows = 4096

// diagonal returns k(xᵢ, xᵢ) of all points, some of which are bound at a time: points may be in a
// file.
func diagonal(p Points) []float64 {
	diag := make([]float64, p.Len())
	for from := 0; from < len(diag); from += diagonalRows {
		some := between(from, min(len(diag), from+diagonalRows))
		kernel.Diag(p.Bind(some, some), diag[from:from+len(some)])
	}
	return diag
}

// PointsIn returns the points of a Gram matrix that can be read by elements.
func PointsIn(k gram.Symmetric) Points { return rowsOf{k.Pairs()} }

type rowsOf struct{ pairs kernel.Pairs }

func (r rowsOf) Len() int {
	n, _ := r.pairs.Dims()
	return n
}

func (r rowsOf) Bind(rows, cols []int) kernel.Pairs {
	if rows == nil && cols == nil {
		return r.pairs
	}
	return gram.Restrict(r.pairs, r.some(rows), r.some(cols))
}

func (r rowsOf) some(rows []int) []int {
	if rows == nil {
		return span(r.Len())
	}
	return rows
}

// span returns 0 … n−1.
func span(n int) []int { return between(0, n) }

// between returns from … to−1.
func between(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// among restricts points to candidates.
type among struct {
	of         Points
	candidates []int
}

func (a among) Len() int { return len(a.candidates) }

func (a among) Bind(rows, cols []int) kernel.Pairs {
	return a.of.Bind(a.original(rows), a.original(cols))
}

// original returns the numbers that candidates have among all points.
func (a among) original(rows []int) []int {
	if rows == nil {
		return a.candidates
	}
	out := make([]int, len(rows))
	for i, r := range rows {
		out[i] = a.candidates[r]
	}
	return out
}
