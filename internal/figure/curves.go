package figure

import (
	"fmt"
	"math"

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
	Bands  []Band
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

func (c Curves) plot() (*plot.Plot, error) {
	if len(c.X) != len(c.Y) || len(c.X) == 0 {
		return nil, fmt.Errorf("figure: %d abscissae and %d ordinates; a picture of curves needs the same positive number of each", len(c.X), len(c.Y))
	}
	p, err := scatter(c.XLabel, c.YLabel, c.X, c.Y)
	if err != nil {
		return nil, err
	}
	p.Title.Text = c.Title
	for _, band := range c.Bands {
		if err := band.add(p); err != nil {
			return nil, err
		}
	}
	for i, line := range c.Lines {
		if err := c.add(p, i, line); err != nil {
			return nil, err
		}
	}
	p.Legend.Top, p.Legend.Left = c.emptiest()
	return p, nil
}

func (c Curves) page() (page, error) {
	p, err := c.plot()
	return page{plots: []*plot.Plot{p}, width: 16 * vg.Centimeter, height: 11 * vg.Centimeter}, err
}

// emptiest returns the corner with the fewest dots and points of lines, for the legend.
func (c Curves) emptiest() (top, left bool) {
	xs, ys := [][]float64{c.X}, [][]float64{c.Y}
	for _, line := range c.Lines {
		xs, ys = append(xs, line.X), append(ys, line.Y)
	}
	x0, x1 := extent(xs...)
	y0, y1 := extent(ys...)
	fewest := math.Inf(1)
	for _, corner := range [][2]bool{{true, true}, {true, false}, {false, true}, {false, false}} {
		inside := 0.0
		for s := range xs {
			for i := range min(len(xs[s]), len(ys[s])) {
				u, v := (xs[s][i]-x0)/(x1-x0), (ys[s][i]-y0)/(y1-y0)
				if corner[1] {
					u = 1 - u
				}
				if !corner[0] {
					v = 1 - v
				}
				if u > 0.6 && v > 0.65 {
					inside += 1 / float64(len(xs[s]))
				}
			}
		}
		if inside < fewest {
			fewest, top, left = inside, corner[0], corner[1]
		}
	}
	return top, left
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
