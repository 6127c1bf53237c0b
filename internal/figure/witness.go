package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Witness describes the function that tells two samples apart best: positive where the
// first is denser. With one axis it is a line over the rows, with two a map, and without
// any two histograms of its values at the rows of either sample.
type Witness struct {
	Title    string
	Samples  [2]string // names
	First    int       // rows of the first sample, which stand before the others
	Features []string
	Axes     [][]float64 // of the grid: none, one or two
	Values   []float64   // on the grid, the first axis fastest
	Points   [][]float64 // coordinates of the rows on the axes
	AtRows   []float64   // values at the rows
}

func (w *Witness) plot() (*plot.Plot, error) {
	if w.First < 1 || len(w.Axes) > 2 || len(w.Features) < len(w.Axes) || len(w.Points) < len(w.Axes) {
		return nil, fmt.Errorf("figure: a witness is drawn over at most two features, with the rows of two samples")
	}
	p := plot.New()
	p.Title.Text = w.Title
	var err error
	switch len(w.Axes) {
	case 1:
		err = w.line(p)
	case 2:
		err = w.field(p)
	default:
		err = w.histograms(p)
	}
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	p.Legend.Top, p.Legend.Padding = true, vg.Millimeter
	return p, nil
}

// of returns the rows of one sample.
func (w *Witness) of(sample int, v []float64) []float64 {
	if sample == 0 {
		return v[:w.First]
	}
	return v[w.First:]
}

// line draws the function and, above and below it, the rows.
func (w *Witness) line(p *plot.Plot) error {
	p.X.Label.Text, p.Y.Label.Text = w.Features[0], "witness"
	p.Add(plotter.NewGrid())
	l, err := plotter.NewLine(Curve{X: w.Axes[0], Y: w.Values}.points())
	if err != nil {
		return err
	}
	l.Width = vg.Points(1.6)
	p.Add(l)
	low, high := extent(w.Values)
	room := 0.08 * (high - low)
	for s, at := range []float64{high + room, low - room} {
		xs := w.of(s, w.Points[0])
		points := make(plotter.XYs, len(xs))
		for i, x := range xs {
			points[i].X, points[i].Y = x, at+room*0.6*(float64(i%5)/4-0.5) // spread, so that rows are seen
		}
		if err := w.scatter(p, s, points); err != nil {
			return err
		}
	}
	p.Y.Min, p.Y.Max = low-2*room, high+5*room // room for the legend
	return nil
}

// scatter draws and names the rows of a sample.
func (w *Witness) scatter(p *plot.Plot, sample int, points plotter.XYs) error {
	dots, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: ink(sample), Radius: vg.Points(2), Shape: shapes[sample]}
	p.Add(dots)
	p.Legend.Add(w.Samples[sample], dots)
	return nil
}

// grid presents the values as a field of cells.
type grid struct{ *Witness }

func (g grid) Dims() (c, r int)   { return len(g.Axes[0]), len(g.Axes[1]) }
func (g grid) X(c int) float64    { return g.Axes[0][c] }
func (g grid) Y(r int) float64    { return g.Axes[1][r] }
func (g grid) Z(c, r int) float64 { return g.Values[r*len(g.Axes[0])+c] }

// field draws the function as a map, blue below zero and tan above, and the rows on it.
func (w *Witness) field(p *plot.Plot) error {
	p.X.Label.Text, p.Y.Label.Text = w.Features[0], w.Features[1]
	low, high := extent(w.Values)
	most := math.Max(math.Max(-low, high), math.SmallestNonzeroFloat64)
	shades := moreland.SmoothBlueTan()
	shades.SetMin(-most)
	shades.SetMax(most)
	h := plotter.NewHeatMap(grid{w}, shades.Palette(101))
	h.Min, h.Max, h.Rasterized = -most, most, true // no seams between cells
	p.Add(h)
	for s := range 2 {
		xs, ys := w.of(s, w.Points[0]), w.of(s, w.Points[1])
		points := make(plotter.XYs, len(xs))
		for i := range points {
			points[i].X, points[i].Y = xs[i], ys[i]
		}
		if err := w.scatter(p, s, points); err != nil {
			return err
		}
	}
	p.Y.Max += 0.15 * (p.Y.Max - p.Y.Min) // room for the legend
	return nil
}

// histograms draws how the values are distributed in either sample.
func (w *Witness) histograms(p *plot.Plot) error {
	p.X.Label.Text, p.Y.Label.Text = "witness", "share of the sample"
	low, high := extent(w.AtRows)
	if !(high > low) {
		return fmt.Errorf("the witness is %g at all rows", low)
	}
	p.Add(plotter.NewGrid())
	top := 0.0
	for s := range 2 {
		values := w.of(s, w.AtRows)
		bins := min(40, max(5, int(math.Sqrt(float64(len(w.AtRows))))))
		share := make([]float64, bins)
		for _, v := range values {
			share[min(bins-1, int(float64(bins)*(v-low)/(high-low)))] += 1 / float64(len(values))
		}
		steps := plotter.XYs{{X: low}}
		for b, v := range share {
			from, to := low+(high-low)*float64(b)/float64(bins), low+(high-low)*float64(b+1)/float64(bins)
			steps = append(steps, plotter.XY{X: from, Y: v}, plotter.XY{X: to, Y: v})
			top = max(top, v)
		}
		l, err := plotter.NewLine(append(steps, plotter.XY{X: high}))
		if err != nil {
			return err
		}
		l.Color, l.Width = ink(s), vg.Points(1.6)
		if s == 1 {
			l.Dashes = []vg.Length{vg.Points(5), vg.Points(2)}
		}
		p.Add(l)
		p.Legend.Add(w.Samples[s], l)
	}
	p.Y.Min, p.Y.Max = 0, 1.25*top
	return nil
}
