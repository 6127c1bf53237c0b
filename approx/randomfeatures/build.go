package randomfeatures

import (
	"fmt"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// block makes some of the features.
type block[T any] interface {
	dim() int
	// rows stores the features of xs[from+i] in row i of dst.
	rows(dst kernel.Tile, xs data.Set[T], from int)
	// variance is that of ⟨z(x), z(y)⟩ over what is drawn, or a bound of it, with what is
	// unknown in it estimated from the features zx and zy themselves.
	variance(x, y T, zx, zy []float64) float64
}

// bounds are the least number of features that a construction takes, and the number beyond which
// more do not help.
func bounds[T any](r construction.Features[T]) (least, most int) {
	switch r := r.(type) {
	case construction.Explicit[T]:
		return 1, r.Dim
	case construction.Stationary[T], construction.Words[T]:
		return 2, math.MaxInt
	case construction.Homogeneous[T]:
		return r.Dim, math.MaxInt
	case construction.Tensor[T]:
		if r.Exact.Dim > 0 {
			return 1, r.Exact.Dim
		}
	case construction.Rescaled[T]:
		return bounds(r.Of)
	case construction.Total[T]:
		for i, term := range r.Terms {
			if r.Weights[i] == 0 {
				continue
			}
			l, m := bounds(term)
			least += l
			if most += m; most < m {
				most = math.MaxInt
			}
		}
		return max(least, 1), max(most, 1)
	}
	return 1, math.MaxInt
}

// build makes the map of a construction with at most dim features, not fewer than its bounds.
func build[T any](r construction.Features[T], dim int, d *draws) block[T] {
	switch r := r.(type) {
	case construction.Explicit[T]:
		if r.Dim > dim {
			return newSketch([]construction.Features[T]{r}, dim, d)
		}
		return explicit[T](r)
	case construction.Stationary[T]:
		return newWaves(r, dim/2, d)
	case construction.Homogeneous[T]:
		return newHomogeneous(r, dim)
	case construction.Counting[T]:
		return newHashed(r, dim, d)
	case construction.Words[T]:
		return newWords(r, dim/2, d)
	case construction.Units[T]:
		return newUnits(r, dim, d)
	case construction.Total[T]:
		return newTotal(r, dim, d)
	case construction.Tensor[T]:
		if 0 < r.Exact.Dim && r.Exact.Dim <= dim {
			return explicit[T](r.Exact)
		}
		return newSketch(r.Factors, dim, d)
	case construction.Rescaled[T]:
		return rescaled[T]{of: build(r.Of, dim, d), by: r.By}
	}
	panic(fmt.Sprintf("randomfeatures: a construction of type %T", r))
}

// explicit is a map that is known.
type explicit[T any] construction.Explicit[T]

func (b explicit[T]) dim() int { return b.Dim }

func (b explicit[T]) rows(dst kernel.Tile, xs data.Set[T], from int) {
	for i := range dst.Rows {
		b.Map(dst.Row(i), xs.At(from+i))
	}
}

func (b explicit[T]) variance(T, T, []float64, []float64) float64 { return 0 }

// rescaled is f(x)·z(x).
type rescaled[T any] struct {
	of block[T]
	by func(x T) float64
}

func (b rescaled[T]) dim() int { return b.of.dim() }

func (b rescaled[T]) rows(dst kernel.Tile, xs data.Set[T], from int) {
	b.of.rows(dst, xs, from)
	for i := range dst.Rows {
		f := b.by(xs.At(from + i))
		row := dst.Row(i)
		for j := range row {
			row[j] *= f
		}
	}
}

func (b rescaled[T]) variance(x, y T, zx, zy []float64) float64 {
	f := b.by(x) * b.by(y)
	if f == 0 {
		return 0
	}
	return f * f * b.of.variance(x, y, divided(zx, b.by(x)), divided(zy, b.by(y)))
}

func divided(z []float64, by float64) []float64 {
	out := make([]float64, len(z))
	for i, v := range z {
		out[i] = v / by
	}
	return out
}

// total is the maps of the terms of a sum one after the other, times the roots of their
// weights.
type total[T any] struct {
	roots []float64
	terms []block[T]
	size  int
}

// newTotal shares features among the terms in proportion to their weights, which makes the
// variance of Σ cᵢzᵢ least where those of single features are alike. No term has more than
// it can use.
func newTotal[T any](r construction.Total[T], dim int, d *draws) block[T] {
	var weights []float64
	var terms []construction.Features[T]
	for i, w := range r.Weights {
		if w > 0 {
			weights, terms = append(weights, w), append(terms, r.Terms[i])
		}
	}
	if len(terms) == 0 {
		return explicit[T]{Dim: 1, Map: func(phi []float64, _ T) { phi[0] = 0 }}
	}
	b := total[T]{}
	for i, dims := range shares(terms, weights, dim) {
		term := build(terms[i], dims, d)
		b.roots, b.terms, b.size = append(b.roots, math.Sqrt(weights[i])), append(b.terms, term), b.size+term.dim()
	}
	return b
}

// shares gives each term its least number of features, and what is left in proportion to the
// weights, until the terms have all that they can use.
func shares[T any](terms []construction.Features[T], weights []float64, dim int) []int {
	dims, most := make([]int, len(terms)), make([]int, len(terms))
	for i, term := range terms {
		dims[i], most[i] = bounds(term)
		dim -= dims[i]
	}
	for dim > 0 {
		open := 0.0
		for i, w := range weights {
			if dims[i] < most[i] {
				open += w
			}
		}
		given := 0
		for i, w := range weights {
			if dims[i] < most[i] {
				more := min(int(float64(dim)*w/open), most[i]-dims[i])
				dims[i] += more
				given += more
			}
		}
		if dim -= given; given == 0 {
			break // what rounding leaves
		}
	}
	return dims
}

func (b total[T]) dim() int { return b.size }

func (b total[T]) rows(dst kernel.Tile, xs data.Set[T], from int) {
	at := 0
	for t, term := range b.terms {
		own := part(dst, 0, dst.Rows, at, at+term.dim())
		term.rows(own, xs, from)
		for i := range own.Rows {
			row := own.Row(i)
			for j := range row {
				row[j] *= b.roots[t]
			}
		}
		at += term.dim()
	}
}

func (b total[T]) variance(x, y T, zx, zy []float64) float64 {
	sum, at := 0.0, 0
	for t, term := range b.terms {
		w, to := b.roots[t]*b.roots[t], at+term.dim()
		sum += w * w * term.variance(x, y, divided(zx[at:to], b.roots[t]), divided(zy[at:to], b.roots[t]))
		at = to
	}
	return sum
}
