package vec

import (
	"fmt"

	"mercer/data"
	"mercer/internal/simd"
)

// points are the coordinates that a statistic sees, gathered once when it is bound:
// row by row, and interleaved in panels for the loops that want them so.
type points struct {
	n, d   int
	rows   []float64 // n×d, selected columns, multiplied by the matrix; nil once not needed
	panels []float64 // of rows, or of rows centred and weighted
	norms  []float64 // ‖x‖², or Σ xⱼ, of what is in the panels, where it is needed
}

func (p *points) at(i int) []float64 { return p.rows[i*p.d : (i+1)*p.d : (i+1)*p.d] }

// lane returns the panels from that of point i on, cut so that the point is in lane 0.
func (p *points) lane(i int) []float64 {
	if p.d == 0 {
		return nil
	}
	return p.panels[i/simd.PanelWidth*p.d*simd.PanelWidth+i%simd.PanelWidth:]
}

// gather collects the coordinates that s sees. Where these are all coordinates of
// [data.Vectors] it is not a copy: the rows must not be written to. Points of unequal
// length are a programmer's error, which would otherwise go unnoticed, and panic.
func gather(s *Statistic, xs data.Set[[]float64]) *points {
	if v, ok := xs.(data.Vectors); ok && s.Columns == nil && s.Matrix == nil {
		return &points{n: v.Len(), d: v.Dim(), rows: v.Raw()}
	}
	p := &points{n: xs.Len(), d: len(s.Columns)}
	if s.Columns == nil && p.n > 0 {
		p.d = len(xs.At(0))
	}
	selected := make([]float64, p.d)
	width := p.d
	if s.Matrix != nil {
		p.d = s.Rank
	}
	p.rows = make([]float64, p.n*p.d)
	for i := range p.n {
		x := xs.At(i)
		if s.Columns == nil && len(x) != width {
			panic(fmt.Sprintf("vec: point %d has %d coordinates and point 0 has %d", i, len(x), width))
		}
		if s.Columns != nil {
			for j, c := range s.Columns {
				selected[j] = x[c]
			}
			x = selected
		}
		if s.Matrix != nil {
			transform(p.at(i), s.Matrix, x)
		} else {
			copy(p.at(i), x)
		}
	}
	return p
}

// interleave fills the panels with the rows, or with change(rows) where change is not
// nil. Points beyond the last are 0.
func (p *points) interleave(change func(dst, x []float64)) {
	count := (p.n + simd.PanelWidth - 1) / simd.PanelWidth
	p.panels = make([]float64, count*p.d*simd.PanelWidth)
	changed := make([]float64, p.d)
	for i := range p.n {
		x := p.at(i)
		if change != nil {
			change(changed, x)
			x = changed
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
	p.norms = make([]float64, (p.n+simd.PanelWidth-1)/simd.PanelWidth*simd.PanelWidth)
	var products [simd.PanelWidth * simd.PanelWidth]float64
	for i := 0; i < p.n; i += simd.PanelWidth {
		x := p.lane(i)
		simd.Panels(s, products[:], simd.PanelWidth, simd.PanelWidth, x, x, nil, p.d, 1)
		for k := range simd.PanelWidth {
			p.norms[i+k] = products[k*simd.PanelWidth+k]
		}
	}
}

// mean returns the mean of the rows.
func (p *points) mean() []float64 {
	m := make([]float64, p.d)
	for i := range p.n {
		for j, v := range p.at(i) {
			m[j] += v
		}
	}
	for j := range m {
		m[j] /= float64(max(p.n, 1))
	}
	return m
}
