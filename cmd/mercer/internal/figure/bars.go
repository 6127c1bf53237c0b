package figure

import (
	"fmt"

	"gonum.org/v1/plot/text"
)

// Bars describes numbers that belong to names, several to each: a group of bars for every
// name, a colour for every series.
type Bars struct {
	Title  string
	YLabel string
	Names  []string // of the groups; an empty one is not written
	Series []Series
	Lines  []float64 // heights to compare with, dashed
}

// Series is one number for every name.
type Series struct {
	Name   string
	Values []float64
}

// BarPanels is a picture of several plots of bars side by side.
type BarPanels []Bars

// PNG draws the picture as PNG.
func (b BarPanels) PNG() ([]byte, error) { return asPNG(b.sheet()) }

// SVG draws the picture as SVG.
func (b BarPanels) SVG() ([]byte, error) { return asSVG(b.sheet()) }

func (b BarPanels) sheet() (Sheet, error) {
	out := Sheet{Width: 13, Height: 7.5}
	for _, bars := range b {
		p, err := bars.panel()
		if err != nil {
			return Sheet{}, err
		}
		out.Panels = append(out.Panels, p)
	}
	if len(out.Panels) == 0 {
		return Sheet{}, fmt.Errorf("figure: there are no bars to draw")
	}
	return out, nil
}

func (b Bars) panel() (Panel, error) {
	if len(b.Series) == 0 || len(b.Names) == 0 {
		return Panel{}, fmt.Errorf("figure: %d series of %d bars: there is nothing to draw", len(b.Series), len(b.Names))
	}
	p := Panel{Title: b.Title, Y: b.YLabel}
	end := float64(len(b.Names)) - 0.5
	width := 0.8 / float64(len(b.Series))
	low, high := 0.0, 0.0
	for i, s := range b.Series {
		if len(s.Values) != len(b.Names) {
			return Panel{}, fmt.Errorf("figure: series %q has %d numbers for %d names", s.Name, len(s.Values), len(b.Names))
		}
		c := columns{Name: s.Name, Heights: s.Values, Width: 0.96 * width, Ink: Ink(i)}
		for j, v := range s.Values {
			c.X = append(c.X, float64(j)+width*(float64(i)-float64(len(b.Series)-1)/2))
			low, high = min(low, v), max(high, v)
		}
		p.Layers = append(p.Layers, c)
	}
	for _, at := range b.Lines {
		low, high = min(low, at), max(high, at)
		p.Layers = append(p.Layers, Line{X: []float64{-0.5, end}, Y: []float64{at, at}, Ink: Grey, Thin: true, Dashed: true})
	}
	p.Layers = append(p.Layers, layer(func(p *panel) error {
		p.NominalX(b.Names...)
		p.X.Tick.Label.XAlign = text.XCenter
		return nil
	}))
	room := 0.04 * (high - low)
	p.Bounds = &Bounds{X0: -0.5, X1: end, Y0: low, Y1: high + room}
	if low < 0 {
		p.Bounds.Y0 -= room
	}
	return p, nil
}
