package figure

import (
	"fmt"
	"math"

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
func (s Scores) PNG() ([]byte, error) { return asPNG(s.sheet()) }

// SVG draws the picture as SVG.
func (s Scores) SVG() ([]byte, error) { return asSVG(s.sheet()) }

func (s Scores) sheet() (Sheet, error) {
	if len(s.Points) == 0 {
		return Sheet{}, fmt.Errorf("figure: there are no scores to draw")
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
	p := Panel{Title: fmt.Sprintf("%s: best %.4g at %s = %.4g, %s = %.4g (worst %.4g)", s.Title, best.Score, s.X, best.X, s.Y, best.Y, worst(s.LargerIsBetter, least, most)),
		X: s.X, Y: s.Y, Bounds: &Bounds{}}
	p.Bounds.X0, p.Bounds.X1, p.LogX = scale(xs)
	p.Bounds.Y0, p.Bounds.Y1, p.LogY = scale(ys)
	p.Layers = []Layer{Lattice{}, layer(func(p *panel) error { return s.squares(p, least, most) }),
		Dots{Name: "the best", X: []float64{best.X}, Y: []float64{best.Y}, Ink: 0, Shape: 6, Size: 9}}
	return Sheet{Panels: []Panel{p}, Width: 17, Height: 11.5}, nil
}

// squares draws a square for every trial.
func (s Scores) squares(p *panel, least, most float64) error {
	// Kindlmann's map rises in lightness evenly, for every kind of colour vision.
	shades := moreland.Kindlmann()
	shades.SetMin(0)
	shades.SetMax(1)
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
			return err
		}
		m, err := plotter.NewScatter(plotter.XYs{{X: q.X, Y: q.Y}})
		if err != nil {
			return err
		}
		m.GlyphStyle = draw.GlyphStyle{Color: shade, Radius: vg.Points(6), Shape: draw.BoxGlyph{}}
		p.Add(m)
	}
	return nil
}

// worst returns the worst score.
func worst(largerIsBetter bool, least, most float64) float64 {
	if largerIsBetter {
		return least
	}
	return most
}

// scale returns the ends of an axis, with space for half a mark at both; it is logarithmic
// where its values are positive and span a decade.
func scale(values []float64) (low, high float64, logarithmic bool) {
	low, high = extent(values)
	if low > 0 && high >= 10*low {
		room := math.Pow(high/low, 0.06)
		return low / room, high * room, true
	}
	room := 0.06 * (high - low)
	if room == 0 {
		room = 0.5
	}
	return low - room, high + room, false
}
