package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Contour is level sets of a field as dashed lines without colours between them.
type Contour struct {
	Name   string
	Of     Field
	Levels []float64
}

func (l Contour) add(p *panel) error {
	if err := l.Of.check(); err != nil {
		return err
	}
	p.Add(l)
	p.name(l.Name, l)
	return nil
}

func (Contour) style() draw.LineStyle {
	return draw.LineStyle{Color: Black.color(), Width: vg.Points(1), Dashes: []vg.Length{4, 3}}
}

// DataRange returns the bounds of the grid.
func (l Contour) DataRange() (x0, x1, y0, y1 float64) { return l.Of.DataRange() }

// Plot draws the lines.
func (l Contour) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	xs, ys := canvasCoordinates(l.Of.Xs, toX), canvasCoordinates(l.Of.Ys, toY)
	for _, level := range l.Levels {
		for _, r := range rings(xs, ys, l.Of.Z, level) {
			strokeInside(c, l.style(), r, Bounds{X0: xs[0], X1: xs[len(xs)-1], Y0: ys[0], Y1: ys[len(ys)-1]})
		}
	}
}

// Thumbnail draws a dashed line.
func (l Contour) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(l.style(), c.Min.X, y, c.Max.X, y)
}
