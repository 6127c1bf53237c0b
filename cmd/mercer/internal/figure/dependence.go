package figure

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Dependence describes a function of one column: its mean over rows, and where most rows are.
// Numbers get a line with a band, categories a dot with a bar.
type Dependence struct {
	Title, X, Y     string
	At              []float64 // numbers of the column, in their order; nil for categories
	Names           []string  // of categories
	Mean, Low, High []float64
	Rug             []float64 // numbers of the rows, as strokes on the axis
}

// Dependences is a picture of several.
type Dependences []Dependence

// PNG draws the picture as PNG.
func (d Dependences) PNG() ([]byte, error) { return asPNG(d.sheet()) }

// SVG draws the picture as SVG.
func (d Dependences) SVG() ([]byte, error) { return asSVG(d.sheet()) }

func (d Dependences) sheet() (Sheet, error) {
	out := Sheet{Columns: min(len(d), 3), Width: 11.5, Height: 9}
	for _, one := range d {
		p, err := one.panel()
		if err != nil {
			return Sheet{}, err
		}
		out.Panels = append(out.Panels, p)
	}
	if len(d) == 0 {
		return Sheet{}, fmt.Errorf("figure: there are no curves to draw")
	}
	return out, nil
}

// What the key of curves says.
const (
	meanCurve = "mean over rows"
	mostRows  = "10 % to 90 % of rows"
)

func (d Dependence) panel() (Panel, error) {
	n := len(d.Mean)
	if n == 0 || len(d.Low) != n || len(d.High) != n || max(len(d.At), len(d.Names)) != n || d.At != nil && d.Names != nil {
		return Panel{}, fmt.Errorf("figure: %d means, %d and %d quantiles, at %d numbers or %d names", n, len(d.Low), len(d.High), len(d.At), len(d.Names))
	}
	low, high := extent(d.Low, d.High, d.Mean)
	room := 0.08*(high-low) + 1e-9*max(high, -low) + 1e-12
	p := Panel{Title: d.Title, X: d.X, Y: d.Y, Layers: []Layer{Lattice{}}, Bounds: &Bounds{Y0: low - room, Y1: high + room}}
	if d.Names != nil {
		p.Bounds.X0, p.Bounds.X1 = -0.5, float64(n)-0.5
		at := make([]float64, n)
		for i := range at {
			at[i] = float64(i)
			p.Layers = append(p.Layers, Line{Name: mostRows, X: []float64{at[i], at[i]}, Y: []float64{d.Low[i], d.High[i]}, Ink: Grey})
		}
		p.Layers = append(p.Layers, Dots{Name: meanCurve, X: at, Y: d.Mean, Size: 4}, layer(func(p *panel) error {
			p.NominalX(d.Names...)
			p.X.Tick.Label.XAlign = text.XCenter
			return nil
		}))
		return p, nil
	}
	from, to := extent(d.At)
	aside := 0.03*(to-from) + 1e-12
	p.Bounds.X0, p.Bounds.X1 = from-aside, to+aside
	p.Layers = append(p.Layers, Band{Name: mostRows, X: d.At, Low: d.Low, Top: d.High}, Line{Name: meanCurve, X: d.At, Y: d.Mean})
	if n == 1 {
		p.Layers = append(p.Layers, Dots{X: d.At, Y: d.Mean, Size: 4})
	}
	p.Layers = append(p.Layers, rug(d.Rug))
	return p, nil
}

// rug is a stroke on the lower axis for every number that is within the axes.
type rug []float64

func (r rug) add(p *panel) error {
	p.Add(r)
	return nil
}

// Plot draws the strokes.
func (r rug) Plot(c draw.Canvas, p *plot.Plot) {
	toX, _ := p.Transforms(&c)
	style := draw.LineStyle{Color: veil, Width: vg.Points(0.8)}
	for _, v := range r {
		if v >= p.X.Min && v <= p.X.Max {
			c.StrokeLine2(style, toX(v), c.Min.Y, toX(v), c.Min.Y+vg.Points(6))
		}
	}
}
