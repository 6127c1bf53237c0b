package figure

import (
	"fmt"
	"math"
)

// Board describes the scores of several candidates: a bar for each, the best on top, and lines for
// what they have to beat.
type Board struct {
	Title, X string
	Names    []string // from the top, the best first
	Values   []float64
	Lines    []BoardLine
}

// BoardLine is a score to compare with.
type BoardLine struct {
	Name string
	At   float64
}

// PNG draws the picture as PNG.
func (b Board) PNG() ([]byte, error) { return asPNG(b.sheet()) }

// SVG draws the picture as SVG.
func (b Board) SVG() ([]byte, error) { return asSVG(b.sheet()) }

func (b Board) sheet() (Sheet, error) {
	n := len(b.Names)
	if n == 0 || len(b.Values) != n {
		return Sheet{}, fmt.Errorf("figure: %d scores of %d names: there is no board to draw", len(b.Values), n)
	}
	low, high := 0.0, 0.0
	for _, v := range b.Values {
		low, high = min(low, v), max(high, v)
	}
	for _, l := range b.Lines {
		low, high = min(low, l.At), max(high, l.At)
	}
	if math.IsNaN(high-low) || math.IsInf(high-low, 0) {
		return Sheet{}, fmt.Errorf("figure: the scores run from %v to %v, which no axis has", low, high)
	}
	room := 0.14*(high-low) + 1e-12 // for the numbers beside the bars
	p := Panel{Title: b.Title, X: b.X, Bounds: &Bounds{X0: low, X1: high + room, Y0: -0.5, Y1: float64(n) - 0.5}}
	if low < 0 {
		p.Bounds.X0 -= room
	}
	for i, l := range b.Lines {
		p.Layers = append(p.Layers, Line{Name: l.Name, X: []float64{l.At, l.At}, Y: []float64{-0.5, float64(n) - 0.5}, Ink: Ink(i + 2), Dashed: true})
	}
	for i, v := range b.Values {
		y, ink, align := float64(n-1-i), Grey, 1
		if i == 0 {
			ink = 0
		}
		if v < 0 {
			align = -1
		}
		at := v // of the number, which stands behind a line that would go through it
		for _, l := range b.Lines {
			if v <= l.At && l.At < v+room && l.At > at {
				at = l.At
			}
		}
		p.Layers = append(p.Layers, beam{x1: v, y: y, ink: ink}, Text{X: at, Y: y, Text: fmt.Sprintf(" %.4g ", v), Ink: Black, Size: 9, Align: align})
	}
	p.Layers = append(p.Layers, rowsNamed(b.Names))
	return Sheet{Panels: []Panel{p}, Width: 20, Height: 3 + 0.7*float64(n)}, nil
}
