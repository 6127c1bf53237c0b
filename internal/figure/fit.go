package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var (
	dots  = color.RGBA{R: 0x1f, G: 0x5f, B: 0xa8, A: 0xb0}
	guide = color.RGBA{R: 0xc0, G: 0x39, B: 0x2b, A: 0xff}
)

// Fit describes a picture of a regression: observed against predicted values on the
// left, the residuals observed − predicted on the right.
type Fit struct {
	Title     string
	Target    string // name of the target, for the axes
	Observed  []float64
	Predicted []float64
}

// PNG draws the picture as PNG.
func (f Fit) PNG() ([]byte, error) {
	p, err := f.page()
	if err != nil {
		return nil, err
	}
	return p.png()
}

// SVG draws the picture as SVG.
func (f Fit) SVG() ([]byte, error) {
	p, err := f.page()
	if err != nil {
		return nil, err
	}
	return p.svg()
}

func (f Fit) page() (page, error) {
	if len(f.Observed) != len(f.Predicted) || len(f.Observed) == 0 {
		return page{}, fmt.Errorf("figure: %d observed and %d predicted values; a picture of a fit needs the same positive number of each",
			len(f.Observed), len(f.Predicted))
	}
	residual := make([]float64, len(f.Observed))
	for i := range residual {
		residual[i] = f.Observed[i] - f.Predicted[i]
	}
	left, err := scatter("predicted "+f.Target, "observed "+f.Target, f.Predicted, f.Observed)
	if err != nil {
		return page{}, err
	}
	left.Title.Text = f.Title
	lo, hi := extent(f.Observed, f.Predicted)
	if err := line(left, lo, lo, hi, hi); err != nil {
		return page{}, err
	}
	right, err := scatter("predicted "+f.Target, "residual", f.Predicted, residual)
	if err != nil {
		return page{}, err
	}
	right.Title.Text = "residuals"
	lo, hi = extent(f.Predicted)
	if err := line(right, lo, 0, hi, 0); err != nil {
		return page{}, err
	}
	return page{plots: []*plot.Plot{left, right}, width: 24 * vg.Centimeter, height: 11 * vg.Centimeter}, nil
}

func scatter(xlabel, ylabel string, x, y []float64) (*plot.Plot, error) {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = xlabel, ylabel
	points := make(plotter.XYs, len(x))
	for i := range x {
		points[i].X, points[i].Y = x[i], y[i]
	}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	s.GlyphStyle = draw.GlyphStyle{Color: dots, Radius: vg.Points(1.8), Shape: draw.CircleGlyph{}}
	p.Add(plotter.NewGrid(), s)
	return p, nil
}

func line(p *plot.Plot, x0, y0, x1, y1 float64) error {
	l, err := plotter.NewLine(plotter.XYs{{X: x0, Y: y0}, {X: x1, Y: y1}})
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	l.Color, l.Width = guide, vg.Points(1.2)
	p.Add(l)
	return nil
}

func extent(series ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range series {
		lo, hi = min(lo, slices.Min(s)), max(hi, slices.Max(s))
	}
	return lo, hi
}
