package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Shaded is points whose colour says a number, the darker the greater, with the bar that tells
// which. Those whose number is missing (NaN) are hollow.
type Shaded struct {
	Name         string // of the number
	X, Y, Values []float64
	Size         float64 // radius in points; 0 means 2.6
	NoBar        bool    // another panel beside it has the same
}

// lightestShade is the share of the colours that is left out as hardly seen on white.
const lightestShade = 0.12

func (s Shaded) add(p *panel) error {
	if len(s.X) != len(s.Y) || len(s.X) != len(s.Values) {
		return fmt.Errorf("shaded points have %d abscissae, %d ordinates and %d values", len(s.X), len(s.Y), len(s.Values))
	}
	if s.Size == 0 {
		s.Size = 2.6
	}
	known, hollow := Curve{}, Curve{}
	var values []float64
	for i, v := range s.Values {
		to := &known
		if math.IsNaN(v) {
			to = &hollow
		} else {
			values = append(values, v)
		}
		to.X, to.Y = append(to.X, s.X[i]), append(to.Y, s.Y[i])
	}
	if len(hollow.X) > 0 {
		drawn, err := plotter.NewScatter(hollow.points())
		if err != nil {
			return fmt.Errorf("points without %s: %w", s.Name, err)
		}
		drawn.GlyphStyle = draw.GlyphStyle{Color: Ink(0).color(), Radius: vg.Points(s.Size), Shape: draw.RingGlyph{}}
		p.Add(drawn)
		p.name(s.Name+" missing", icon(drawn.GlyphStyle))
	}
	if len(values) == 0 {
		return nil
	}
	low, high := extent(values)
	high = math.Max(high, low+1e-12*math.Max(1, math.Abs(low)))
	shade := func(v float64) color.RGBA { return sequential(lightestShade + (1-lightestShade)*(v-low)/(high-low)) }
	drawn, err := plotter.NewScatter(known.points())
	if err != nil {
		return fmt.Errorf("points by %s: %w", s.Name, err)
	}
	drawn.GlyphStyleFunc = func(i int) draw.GlyphStyle {
		return draw.GlyphStyle{Color: shade(values[i]), Radius: vg.Points(s.Size), Shape: draw.CircleGlyph{}}
	}
	p.Add(drawn)
	if !s.NoBar {
		p.Add(evenBar(s.Name, low, high, shade))
	}
	return nil
}
