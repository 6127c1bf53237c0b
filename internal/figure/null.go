package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// Null describes a picture of a test: how a statistic is distributed where the hypothesis
// holds, by a histogram of permutations or by a density, and where it was observed.
type Null struct {
	Title     string
	Statistic string    // name, for the axis
	Permuted  []float64 // nil: Density is drawn
	Density   *Curve
	Observed  float64
	P         float64
}

// PNG draws the picture as PNG.
func (n Null) PNG() ([]byte, error) { return Tested{Null: n}.PNG() }

// SVG draws the picture as SVG.
func (n Null) SVG() ([]byte, error) { return Tested{Null: n}.SVG() }

func (n Null) plot() (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text = n.Title, n.Statistic
	top := 0.0
	switch {
	case len(n.Permuted) > 0:
		bins := min(50, max(5, int(math.Sqrt(float64(len(n.Permuted))))))
		bars, err := plotter.NewHist(plotter.Values(n.Permuted), bins)
		if err != nil {
			return nil, fmt.Errorf("figure: %w", err)
		}
		bars.FillColor, bars.LineStyle.Color, bars.LineStyle.Width = tint(1), ink(1), vg.Points(0.6)
		for _, b := range bars.Bins {
			top = max(top, b.Weight)
		}
		p.Add(bars)
		p.Legend.Add(fmt.Sprintf("%d permutations", len(n.Permuted)), bars)
		p.Y.Label.Text = "permutations"
	case n.Density != nil:
		l, err := plotter.NewLine(n.Density.points())
		if err != nil {
			return nil, fmt.Errorf("figure: %w", err)
		}
		l.Color, l.Width, l.FillColor = ink(1), vg.Points(1.6), tint(1)
		top = slices.Max(n.Density.Y)
		p.Add(l)
		p.Legend.Add(n.Density.Name, l)
		p.Y.Label.Text = "density"
	default:
		return nil, fmt.Errorf("figure: a picture of a test needs permutations or a density")
	}
	at, err := plotter.NewLine(plotter.XYs{{X: n.Observed, Y: 0}, {X: n.Observed, Y: top}})
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	at.Color, at.Width = guide, vg.Points(1.8)
	p.Add(at)
	p.Legend.Add(fmt.Sprintf("observed, p = %.3g", n.P), at)
	p.Legend.Top, p.Legend.Padding = true, vg.Millimeter
	p.Legend.Left = n.Observed > (p.X.Min+p.X.Max)/2 && n.Observed-p.X.Min > 0.8*(p.X.Max-p.X.Min) && len(n.Permuted) == 0
	p.Y.Min, p.Y.Max = 0, 1.25*top // room for the legend
	return p, nil
}

// Tested describes a test of two samples: the function that tells them apart best, where
// there is one, beside the distribution of the statistic.
type Tested struct {
	Witness *Witness
	Null    Null
}

// PNG draws the picture as PNG.
func (t Tested) PNG() ([]byte, error) {
	p, err := t.page()
	if err != nil {
		return nil, err
	}
	return p.png()
}

// SVG draws the picture as SVG.
func (t Tested) SVG() ([]byte, error) {
	p, err := t.page()
	if err != nil {
		return nil, err
	}
	return p.svg()
}

func (t Tested) page() (page, error) {
	out := page{width: 14 * vg.Centimeter, height: 11 * vg.Centimeter}
	if t.Witness != nil {
		left, err := t.Witness.plot()
		if err != nil {
			return page{}, err
		}
		out.plots, out.width = append(out.plots, left), 29*vg.Centimeter
	}
	right, err := t.Null.plot()
	out.plots = append(out.plots, right)
	return out, err
}
