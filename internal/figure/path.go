package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Path describes a picture of regression along λ: on the left the errors over λ, with
// the best one marked; on the right, where there are curves, the functions of some λ
// over the data.
type Path struct {
	Lambda     []float64 // above 0
	Train, LOO []float64 // errors
	Best       int
	Curves     *Curves // nil: none
}

// PNG draws the picture as PNG.
func (f Path) PNG() ([]byte, error) {
	p, err := f.page()
	if err != nil {
		return nil, err
	}
	return p.png()
}

// SVG draws the picture as SVG.
func (f Path) SVG() ([]byte, error) {
	p, err := f.page()
	if err != nil {
		return nil, err
	}
	return p.svg()
}

func (f Path) page() (page, error) {
	if len(f.Lambda) < 2 || len(f.Train) != len(f.Lambda) || len(f.LOO) != len(f.Lambda) {
		return page{}, fmt.Errorf("figure: %d λ with %d and %d errors; a path needs at least two, and an error of both kinds for each", len(f.Lambda), len(f.Train), len(f.LOO))
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "errors along λ", "λ", "root mean squared error"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades{}
	p.Add(plotter.NewGrid())
	for i, c := range []Curve{{"training rows", f.Lambda, f.Train}, {"leave one out", f.Lambda, f.LOO}} {
		l, err := plotter.NewLine(c.points())
		if err != nil {
			return page{}, fmt.Errorf("figure: %w", err)
		}
		l.Color, l.Width = ink(1-i), vg.Points(1.6)
		p.Add(l)
		p.Legend.Add(c.Name, l)
	}
	if err := mark(p, Scored{X: f.Lambda[f.Best], Y: f.LOO[f.Best]}, guide, draw.RingGlyph{}, 5); err != nil {
		return page{}, err
	}
	p.Y.Min, p.Legend.Top, p.Legend.Left = math.Min(0, p.Y.Min), true, true
	out := page{plots: []*plot.Plot{p}, width: 14 * vg.Centimeter, height: 11 * vg.Centimeter}
	if f.Curves != nil {
		right, err := f.Curves.plot()
		if err != nil {
			return page{}, err
		}
		out.plots, out.width = append(out.plots, right), 30*vg.Centimeter
	}
	return out, nil
}
