package randomfeatures

import "example.org/mercer/internal/simd"

// projection holds directions ω of a number of coordinates, for the inner products of points with
// all of them.
type projection struct {
	width, count int
	panels       []float64 // the directions, as [simd.Panels] wants columns
}

func newProjection(omega [][]float64, width int) projection {
	p := projection{width: width, count: len(omega)}
	p.panels = make([]float64, p.stride()*width)
	for i, v := range omega {
		panel := p.panels[i/simd.PanelWidth*simd.PanelWidth*width:]
		for j, w := range v {
			panel[j*simd.PanelWidth+i%simd.PanelWidth] = w
		}
	}
	return p
}

// stride is the number of directions, filled up to whole panels.
func (p projection) stride() int {
	return (p.count + simd.PanelWidth - 1) / simd.PanelWidth * simd.PanelWidth
}

// inner stores the products with all directions of the points in the lanes of a panel: those of
// point i begin at dst[i·stride].
func (p projection) inner(dst, lanes []float64, rows int) {
	simd.Panels(simd.Inner, dst, p.stride(), rows, lanes, p.panels, nil, p.width, p.stride()/simd.PanelWidth)
}
