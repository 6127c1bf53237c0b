package kernel

import (
	"fmt"
	"math"
	"strconv"

	"mercer/data"
)

// Composed is the kernel k(φ(x), φ(y)) on points of type S, from a kernel k on points
// of type T and a map φ. It is positive definite where k is, for every map.
type Composed[S, T any] struct {
	Of   Kernel[T]
	Map  func(x S) T // φ
	Text string      // φ as the expression language writes it
}

// Eval returns k(φ(x), φ(y)).
func (k Composed[S, T]) Eval(x, y S) float64 { return k.Of.Eval(k.Map(x), k.Map(y)) }

// String returns compose(of=k, map="φ").
func (k Composed[S, T]) String() string {
	return "compose(of=" + k.Of.String() + ", map=" + strconv.Quote(k.Text) + ")"
}

// Contains reports a point whose image lies outside the domain of k.
func (k Composed[S, T]) Contains(x S) error {
	if err := Contains(k.Of, k.Map(x)); err != nil {
		return fmt.Errorf("after the map %s: %w", k.Text, err)
	}
	return nil
}

// Bind maps every point once and binds k to the images.
func (k Composed[S, T]) Bind(rows, cols data.Set[S]) Pairs {
	return Bind(k.Of, images(k.Map, rows), images(k.Map, cols))
}

// images returns the set of φ(x); vectors of one length are packed as
// [data.Vectors], which families of kernels on vectors are fastest on.
func images[S, T any](f func(S) T, xs data.Set[S]) data.Set[T] {
	out := make(data.Slice[T], xs.Len())
	for i := range out {
		out[i] = f(xs.At(i))
	}
	if rows, ok := any(out).(data.Slice[[]float64]); ok && len(rows) > 0 {
		if packed, ok := pack(rows); ok {
			return any(packed).(data.Set[T])
		}
	}
	return out
}

// pack copies rows into contiguous storage, or reports that their lengths differ.
func pack(rows [][]float64) (packed data.Vectors, ok bool) {
	packed = data.MakeVectors(len(rows), len(rows[0]))
	for i, row := range rows {
		if len(row) != packed.Dim() {
			return packed, false
		}
		copy(packed.At(i), row)
	}
	return packed, true
}

// finite reports a function value that is no number.
func finite(text string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v: the function must be finite at every point", text, v)
	}
	return nil
}
