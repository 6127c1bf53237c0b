package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scores describes a picture of a search over two parameters: a square for every trial,
// the darker the better, the best one ringed. Positive parameters that span more than
// a decade have a logarithmic axis.
type Scores struct {
	Title          string
	X, Y           string // names of the parameters
	LargerIsBetter bool
	Points         []Scored
}

// Scored is one trial.
type Scored struct{ X, Y, Score float64 }

// PNG draws the picture as PNG.
func (s Scores) PNG() ([]byte, error) {
	p, err := s.page()
	if err != nil {
		return nil, err
	}
	return p.png()
}

// SVG draws the picture as SVG.
func (s Scores) SVG() ([]byte, error) {
	p, err := s.page()
	if err != nil {
		return nil, err
	}
	return p.svg()
}

func (s Scores) page() (page, error) {
	if len(s.Points) == 0 {
		return page{}, fmt.Errorf("figure: there are no scores to draw")
	}
	least, most, best := math.Inf(1), math.Inf(-1), s.Points[0]
	var xs, ys []float64
	for _, q := range s.Points {
		least, most = min(least, q.Score), max(most, q.Score)
		if s.LargerIsBetter && q.Score > best.Score || !s.LargerIsBetter && q.Score < best.Score {
			best = q
		}
		xs, ys = append(xs, q.X), append(ys, q.Y)
	}
	// Kindlmann's map rises in lightness evenly, for every kind of colour vision.
	shades := moreland.Kindlmann()
	shades.SetMin(0)
	shades.SetMax(1)
	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s: best %.4g at %s = %.4g, %s = %.4g (worst %.4g)", s.Title, best.Score, s.X, best.X, s.Y, best.Y, worst(s.LargerIsBetter, least, most))
	p.X.Label.Text, p.Y.Label.Text = s.X, s.Y
	scale(&p.X, xs)
	scale(&p.Y, ys)
	p.Add(plotter.NewGrid())
	for _, q := range s.Points {
		share := 1.0
		if most > least {
			share = (q.Score - least) / (most - least)
		}
		if !s.LargerIsBetter {
			share = 1 - share
		}
		shade, err := shades.At(0.9 - 0.85*share)
		if err != nil {
			return page{}, fmt.Errorf("figure: %w", err)
		}
		if err := mark(p, q, shade, draw.BoxGlyph{}, 6); err != nil {
			return page{}, err
		}
	}
	if err := mark(p, best, guide, draw.RingGlyph{}, 9); err != nil {
		return page{}, err
	}
	return page{plots: []*plot.Plot{p}, width: 18 * vg.Centimeter, height: 13 * vg.Centimeter}, nil
}

// worst returns the worst score.
func worst(largerIsBetter bool, least, most float64) float64 {
	if largerIsBetter {
		return least
	}
	return most
}

// scale makes an axis logarithmic where its values are positive and span a decade, and
// leaves room for half a mark at both ends.
func scale(a *plot.Axis, values []float64) {
	lo, hi := extent(values)
	if lo > 0 && hi >= 10*lo {
		a.Scale, a.Tick.Marker = plot.LogScale{}, decades{}
		room := math.Pow(hi/lo, 0.06)
		a.Min, a.Max = lo/room, hi*room
		return
	}
	room := 0.06 * (hi - lo)
	a.Min, a.Max = lo-room, hi+room
}

func mark(p *plot.Plot, q Scored, c color.Color, shape draw.GlyphDrawer, radius float64) error {
	m, err := plotter.NewScatter(plotter.XYs{{X: q.X, Y: q.Y}})
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	m.GlyphStyle = draw.GlyphStyle{Color: c, Radius: vg.Points(radius), Shape: shape}
	p.Add(m)
	return nil
}
