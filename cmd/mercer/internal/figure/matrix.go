package figure

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix is a matrix as squares, the first row on top: the darker the greater, or orange
// below 0 and blue above it. Element (i, j) covers the unit square with the corner
// (j, n−1−i), so that Text can name rows and columns.
type Matrix struct {
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
	p.Add(m)
	return nil
}

// DataRange returns the bounds of the squares.
func (m Matrix) DataRange() (x0, x1, y0, y1 float64) {
	return 0, float64(len(m.Values[0])), 0, float64(len(m.Values))
}

// Plot paints the squares and writes the numbers.
func (m Matrix) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	lo, hi := extent(m.Values...)
	n := len(m.Values)
	for i, row := range m.Values {
		for j, v := range row {
			at := ink(1)
			share := 0.5
			if hi > lo {
				share = (v - lo) / (hi - lo)
			}
			if m.Signed {
				share = math.Abs(v) / max(hi, -lo)
				if v < 0 {
					at = ink(0)
				}
			}
			x0, x1, y0, y1 := toX(float64(j)), toX(float64(j+1)), toY(float64(n-1-i)), toY(float64(n-i))
			// A hair more than the square: no white lines between neighbours.
			c.FillPolygon(towardsWhite(at, 0.98-0.75*share), []vg.Point{{X: x0, Y: y0}, {X: x1 + 0.3, Y: y0}, {X: x1 + 0.3, Y: y1 + 0.3}, {X: x0, Y: y1 + 0.3}})
			if m.Numbers {
				style := letters(12)
				style.Color, style.XAlign = Black.color(), draw.XCenter
				c.FillText(style, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, strconv.FormatFloat(v, 'f', 2, 64))
			}
		}
	}
}
