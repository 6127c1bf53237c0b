package figure

import (
	"fmt"

	"gonum.org/v1/plot/plotter"
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
func (c Curves) PNG() ([]byte, error) { return asPNG(c.sheet()) }

// SVG draws the picture as SVG.
func (c Curves) SVG() ([]byte, error) { return asSVG(c.sheet()) }

func (c Curves) sheet() (Sheet, error) {
	p, err := c.panel()
	return Sheet{Panels: []Panel{p}, Width: 15, Height: 9.5}, err
}

func (c Curves) panel() (Panel, error) {
	if len(c.X) != len(c.Y) || len(c.X) == 0 {
		return Panel{}, fmt.Errorf("figure: %d abscissae and %d ordinates; a picture of curves needs the same positive number of each", len(c.X), len(c.Y))
	}
	p := Panel{Title: c.Title, X: c.XLabel, Y: c.YLabel, Layers: []Layer{Lattice{}}}
	for _, band := range c.Bands {
		p.Layers = append(p.Layers, band)
	}
	p.Layers = append(p.Layers, Dots{X: c.X, Y: c.Y, Ink: Black, Size: 1.6})
	for i, line := range c.Lines {
		p.Layers = append(p.Layers, Line{Name: line.Name, X: line.X, Y: line.Y, Ink: Ink(i), Dashed: i >= len(inks)})
	}
	return p, nil
}
