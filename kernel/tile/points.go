package tile

import (
	"fmt"
	"math/bits"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
)

// points are the coordinates that a statistic sees, gathered once when it is bound:
// row by row, and interleaved in panels for the loops that want them so.
type points struct {
	n, d   int
	rows   []float64            // n×d, selected columns, multiplied by the matrix; nil once not needed
	panels []float64            // of rows, or of rows centred and weighted
	norms  []float64            // ‖x‖², or Σ xⱼ, of what is in the panels, where it is needed
	bits   bitset               // of rows, where that is possible and of use
	bytes  byteset              // of rows, likewise
	mixed  []float64            // panels of rows as numbers and categories, likewise
	fit    []bool               // which rows have the form of the column points, see [field.formed]
	sparse simd.Sparse[float64] // of what is in the panels, likewise; else empty
	lists  []int32              // coordinates that are not 0 in all rows of a group, where they are few
	listed []int                // of each group, and the end of the last; empty: no lists
	// Memory that is used again when other points are bound: of rows, unless these are
	// the set's own, of one point, and of the products of a panel with itself.
	own, point, square []float64
}

func (p *points) at(i int) []float64 { return p.rows[i*p.d : (i+1)*p.d : (i+1)*p.d] }

// lane returns the panels from that of point i on, cut so that the point is in lane 0.
func (p *points) lane(i int) []float64 {
	if p.d == 0 {
		return nil
	}
	return p.panels[i/simd.PanelWidth*p.d*simd.PanelWidth+i%simd.PanelWidth:]
}

// Points returns the points as the statistic sees them: restricted to its columns, multiplied by
// its matrix, raised to its power. Where it sees all of [data.Vectors] it is not a copy.
func (s *Statistic) Points(xs data.Set[[]float64]) data.Vectors {
	p := gather(s, xs)
	v, err := data.NewVectors(p.n, p.d, p.rows)
	if err != nil {
		panic(err) // gather made n rows of d numbers
	}
	return v
}

// gather returns the coordinates of xs that s sees.
func gather(s *Statistic, xs data.Set[[]float64]) *points {
	p := new(points)
	p.gather(s, xs)
	return p
}

// gather collects the coordinates that s sees. Where these are all coordinates of
// [data.Vectors] it is not a copy: the rows must not be written to. Points of unequal
// length are a programmer's error, which would otherwise go unnoticed, and panic.
func (p *points) gather(s *Statistic, xs data.Set[[]float64]) {
	p.n, p.d = xs.Len(), len(s.Columns)
	if v, ok := xs.(data.Vectors); ok && s.Columns == nil && s.Matrix == nil && s.Power == 0 {
		p.d, p.rows = v.Dim(), v.Raw()
		return
	}
	if s.Columns == nil && p.n > 0 {
		p.d = len(xs.At(0))
	}
	width := p.d
	p.point = resized(p.point, width)
	if s.Matrix != nil {
		p.d = s.Rank
	}
	p.own = resized(p.own, p.n*p.d)
	p.rows = p.own
	for i := range p.n {
		x := xs.At(i)
		if s.Columns == nil && len(x) != width {
			panic(fmt.Sprintf("tile: point %d has %d coordinates and point 0 has %d", i, len(x), width))
		}
		if s.Columns != nil {
			for j, c := range s.Columns {
				p.point[j] = x[c]
			}
			x = p.point
		}
		if s.Matrix != nil {
			data.LinearImage(p.at(i), s.Matrix, x)
		} else {
			copy(p.at(i), x)
		}
		if s.Power != 0 {
			s.raised(p.at(i))
		}
	}
}

// resized returns n arbitrary numbers, in the memory of buffer if they fit.
func resized[E any](buffer []E, n int) []E { return slices.Grow(buffer[:0], n)[:n] }

// interleave fills the panels with the rows, or with change(rows) where change is not
// nil. Points beyond the last are 0.
func (p *points) interleave(change func(dst, x []float64)) {
	count := (p.n + simd.PanelWidth - 1) / simd.PanelWidth
	p.panels = resized(p.panels, count*p.d*simd.PanelWidth)
	clear(p.panels)
	p.point = resized(p.point, p.d)
	for i := range p.n {
		x := p.at(i)
		if change != nil {
			change(p.point, x)
			x = p.point
		}
		panel := p.lane(i)
		for j, v := range x {
			panel[j*simd.PanelWidth] = v
		}
	}
}

// measure stores the statistic of every point in the panels with itself, as the loop
// computes it, so that ‖x‖² and the loop's ⟨x, x⟩ have the same bits.
func (p *points) measure(s simd.Statistic) {
	p.norms = resized(p.norms, (p.n+simd.PanelWidth-1)/simd.PanelWidth*simd.PanelWidth)
	p.square = resized(p.square, simd.PanelWidth*simd.PanelWidth)
	for i := 0; i < p.n; i += simd.PanelWidth {
		x := p.lane(i)
		simd.Panels(s, p.square, simd.PanelWidth, simd.PanelWidth, x, x, nil, p.d, 1)
		for k := range simd.PanelWidth {
			p.norms[i+k] = p.square[k*simd.PanelWidth+k]
		}
	}
}

// sample returns the number of rows that stand for all, the first 2ᵏ, k as large as it can
// be: at least half of them, and the same when rows are appended, until their number
// passes the next power of two. Tiles that were kept stay good until then.
func (p *points) sample() int { return 1 << bits.Len(uint(p.n)) >> 1 }
