package graph

import (
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// counter is a kernel that is an inner product of counts, over features that b numbers.
type counter interface {
	kernel.Kernel[*graph.Graph]
	count(g *graph.Graph, b *book) count.Row
}

// family binds the kernels of counts of this package one by one: the algebra joins them.
type family struct{}

// Bind binds a kernel of counts to both sets, or returns nil for any other.
func (f family) Bind(k kernel.Kernel[*graph.Graph], rows, cols data.Set[*graph.Graph]) kernel.Pairs {
	if a := f.BindColumns(k, cols); a != nil {
		return a.Bind(rows, nil)
	}
	return nil
}

// BindColumns counts the features of the column graphs.
func (family) BindColumns(k kernel.Kernel[*graph.Graph], cols data.Set[*graph.Graph]) kernel.BoundColumns[*graph.Graph] {
	c, ok := k.(counter)
	if !ok {
		return nil
	}
	a := &anchored{of: c, book: newBook(), points: cols}
	a.counts = counts(c, a.book, cols)
	a.cols = count.Transpose(a.counts)
	return a
}

// anchored is a kernel of counts with its column graphs.
type anchored struct {
	of     counter
	book   *book
	points data.Set[*graph.Graph]
	counts []count.Row
	cols   *count.Columns
}

// Bind counts the features of the rows; those that no column has get numbers behind all
// others.
func (a *anchored) Bind(rows data.Set[*graph.Graph], _ kernel.Pairs) kernel.Pairs {
	if same(rows, a.points) {
		return a.cols.Bind(a.counts)
	}
	return a.cols.Bind(counts(a.of, a.book.next(), rows))
}

func counts(k counter, b *book, xs data.Set[*graph.Graph]) []count.Row {
	out := make([]count.Row, xs.Len())
	for i := range out {
		out[i] = k.count(xs.At(i), b)
	}
	return out
}

// same reports whether two sets hold the same graphs in the same order.
func same(rows, cols data.Set[*graph.Graph]) bool {
	if rows.Len() != cols.Len() {
		return false
	}
	for i := range rows.Len() {
		if rows.At(i) != cols.At(i) {
			return false
		}
	}
	return true
}

// dot is the inner product of two tables of counts, by which the readable definitions of
// the kernels end.
func dot[K comparable](x, y map[K]float64) float64 {
	sum := 0.0
	for key, times := range x {
		sum += times * y[key]
	}
	return sum
}

// definite is the derivation of every kernel of counts.
func definite(k interface{ String() string }, reason string) kernel.Derivation {
	return kernel.Derivation{Kernel: k.String(), Verdict: kernel.Definite, Reason: reason}
}
