package figure

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Images is rows of small pictures of grey values, from −1, white, to 1, black, each row
// with its name above it.
type Images struct {
	Side int // pixels of a picture, in each direction
	Rows []ImageRow
}

// ImageRow is pictures side by side, each Side² values from the top left.
type ImageRow struct {
	Name     string
	Pictures [][]float64
}

func (m Images) add(p *panel) error {
	if len(m.Rows) == 0 || m.Side < 1 {
		return fmt.Errorf("no pictures")
	}
	for _, row := range m.Rows {
		for i, picture := range row.Pictures {
			if len(picture) != m.Side*m.Side || len(row.Pictures) != len(m.Rows[0].Pictures) {
				return fmt.Errorf("row %q: picture %d of %d has %d values, not %d", row.Name, i+1, len(row.Pictures), len(picture), m.Side*m.Side)
			}
		}
	}
	p.Add(m)
	return nil
}

// A picture is one unit wide and high, a row with its name rowHeight.
const (
	rowHeight = 1.42
	between   = 1.08
)

// DataRange returns the bounds of the rows.
func (m Images) DataRange() (x0, x1, y0, y1 float64) {
	return 0, between*float64(len(m.Rows[0].Pictures)-1) + 1, -rowHeight * float64(len(m.Rows)), 0
}

// Plot paints the pixels, runs of equal ones at once.
func (m Images) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	pixel := 1 / float64(m.Side)
	for r, row := range m.Rows {
		top := -rowHeight*float64(r) - (rowHeight - 1)
		style := letters(12)
		style.Color = Black.color()
		c.FillText(style, vg.Point{X: toX(0), Y: toY(top + 0.19)}, row.Name)
		for k, picture := range row.Pictures {
			left := between * float64(k)
			for i := range m.Side {
				line := picture[i*m.Side : (i+1)*m.Side]
				for from := 0; from < m.Side; {
					to := from + 1
					for to < m.Side && grey(line[to]) == grey(line[from]) {
						to++
					}
					x0, x1 := toX(left+float64(from)*pixel), toX(left+float64(to)*pixel)
					y0, y1 := toY(top-float64(i+1)*pixel), toY(top-float64(i)*pixel)
					c.FillPolygon(grey(line[from]), []vg.Point{{X: x0, Y: y0 - 0.2}, {X: x1 + 0.2, Y: y0 - 0.2}, {X: x1 + 0.2, Y: y1}, {X: x0, Y: y1}})
					from = to
				}
			}
		}
	}
}

func grey(v float64) color.Gray { return color.Gray{Y: uint8(255 * (1 - (min(1, max(-1, v))+1)/2))} }
