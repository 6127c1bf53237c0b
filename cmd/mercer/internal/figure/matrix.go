package figure

import (
	"fmt"
	"image/color"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix is a matrix as squares, the first row on top: the darker the greater, or orange
// below 0 and blue above it. Element (i, j) covers the unit square with the corner
// (j, n−1−i), so that Text can name rows and columns.
type Matrix struct {
	Name    string // of the values, along the colour bar
	Values  [][]float64
	Signed  bool
	Numbers bool // write the values, with two decimals
}

func (m Matrix) add(p *panel) error {
	for i, row := range m.Values {
		if len(row) == 0 || len(row) != len(m.Values[0]) {
			return fmt.Errorf("row %d of a matrix has %d elements, the first has %d", i+1, len(row), len(m.Values[0]))
		}
	}
	if len(m.Values) == 0 {
		return fmt.Errorf("a matrix without rows")
	}
	low, high := m.ends()
	p.Add(m, evenBar(m.Name, low, high, m.shade))
	return nil
}

// ends returns the numbers between which the colours lie. Those of a signed matrix are as far
// below 0 as above it, unless all its elements have one sign.
func (m Matrix) ends() (low, high float64) {
	low, high = extent(m.Values...)
	if m.Signed {
		low, high = min(low, 0), max(high, 0)
	}
	if low == high {
		high = low + 1
	}
	return low, high
}

// shade is the colour of an element.
func (m Matrix) shade(v float64) color.RGBA {
	low, high := m.ends()
	if m.Signed {
		return diverging(v / max(high, -low))
	}
	return sequential((v - low) / (high - low))
}

// DataRange returns the bounds of the squares.
func (m Matrix) DataRange() (x0, x1, y0, y1 float64) {
	return 0, float64(len(m.Values[0])), 0, float64(len(m.Values))
}

// Plot paints the squares and writes the numbers.
func (m Matrix) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	n := len(m.Values)
	for i, row := range m.Values {
		for j, v := range row {
			ground := m.shade(v)
			x0, x1, y0, y1 := toX(float64(j)), toX(float64(j+1)), toY(float64(n-1-i)), toY(float64(n-i))
			// A hair more than the square: no white lines between neighbours.
			c.FillPolygon(ground, []vg.Point{{X: x0, Y: y0}, {X: x1 + 0.3, Y: y0}, {X: x1 + 0.3, Y: y1 + 0.3}, {X: x0, Y: y1 + 0.3}})
			if m.Numbers {
				style := letters(12)
				style.Color, style.XAlign = on(ground), draw.XCenter
				c.FillText(style, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, strconv.FormatFloat(v, 'f', 2, 64))
			}
		}
	}
}

// mostSquares is the order of a matrix whose elements can still be seen.
const mostSquares = 150

// Thinned returns the numbers of at most 150 of n rows, evenly chosen: more cannot be seen
// in a picture of their matrix.
func Thinned(n int) []int {
	rows := make([]int, min(n, mostSquares))
	for i := range rows {
		rows[i] = i * n / len(rows)
	}
	return rows
}

// MatrixPanel draws a matrix, orange below 0 and blue above it.
func MatrixPanel(title string, values [][]float64) Panel {
	p := Panel{Title: title, Bare: true, Equal: true, Layers: []Layer{Matrix{Values: values, Signed: true}}}
	if len(values) > 0 {
		p.Bounds = &Bounds{X1: float64(len(values[0])), Y1: float64(len(values))}
	}
	return p
}
