package figure

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Curves describes a picture of functions of one variable over the data that they were
// fitted to: how a robust loss ignores what least squares follows, or quantiles.
type Curves struct {
	Title  string
	XLabel string
	YLabel string
	X, Y   []float64 // the data, drawn as dots
	Lines  []Curve
}

// Curve is one function, drawn as a line through its points, which should be in the
// order of X.
type Curve struct {
	Name string
	X, Y []float64
}

func (c Curve) points() plotter.XYs {
	out := make(plotter.XYs, len(c.X))
	for i := range out {
		out[i].X, out[i].Y = c.X[i], c.Y[i]
	}
	return out
}

// PNG draws the picture as PNG.
func (c Curves) PNG() ([]byte, error) {
	p, err := c.page()
	if err != nil {
		return nil, err
	}
	return p.png()
}

// SVG draws the picture as SVG.
func (c Curves) SVG() ([]byte, error) {
	p, err := c.page()
	if err != nil {
		return nil, err
	}
	return p.svg()
}

func (c Curves) page() (page, error) {
	if len(c.X) != len(c.Y) || len(c.X) == 0 {
		return page{}, fmt.Errorf("figure: %d abscissae and %d ordinates; a picture of curves needs the same positive number of each", len(c.X), len(c.Y))
	}
	p, err := scatter(c.XLabel, c.YLabel, c.X, c.Y)
	if err != nil {
		return page{}, err
	}
	p.Title.Text = c.Title
	p.Legend.Top, p.Legend.Left = true, true
	for i, line := range c.Lines {
		if err := c.add(p, i, line); err != nil {
			return page{}, err
		}
	}
	return page{plots: []*plot.Plot{p}, width: 16 * vg.Centimeter, height: 11 * vg.Centimeter}, nil
}

// add draws the i-th line and names it in the legend.
func (c Curves) add(p *plot.Plot, i int, line Curve) error {
	if len(line.X) != len(line.Y) || len(line.X) == 0 {
		return fmt.Errorf("figure: curve %q has %d abscissae and %d ordinates", line.Name, len(line.X), len(line.Y))
	}
	l, err := plotter.NewLine(line.points())
	if err != nil {
		return fmt.Errorf("figure: curve %q: %w", line.Name, err)
	}
	l.Color, l.Width = ink(i), vg.Points(1.6)
	if i >= len(inks) {
		l.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	p.Add(l)
	p.Legend.Add(line.Name, l)
	return nil
}
