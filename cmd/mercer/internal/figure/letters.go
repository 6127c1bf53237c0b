package figure

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"gonum.org/v1/plot"
)

// Letters describes a sequence of symbols, each with a number: bars over the symbols, line by
// line, of one colour for each sign.
type Letters struct {
	Title        string
	Above, Below string // what the two signs stand for; "" is not named
	Symbols      []string
	Values       []float64
}

// LetterSheet is a picture of several sequences, one below the other.
type LetterSheet []Letters

const (
	letterLine = 60   // symbols of one character in a line
	letterMost = 3000 // symbols of a picture
)

// PNG draws the picture as PNG.
func (l LetterSheet) PNG() ([]byte, error) { return asPNG(l.sheet()) }

// SVG draws the picture as SVG.
func (l LetterSheet) SVG() ([]byte, error) { return asSVG(l.sheet()) }

func (l LetterSheet) sheet() (Sheet, error) {
	out := Sheet{Columns: 1, Width: 24, Height: 3.4, Small: true}
	for _, sequence := range l {
		panels, err := sequence.panels()
		if err != nil {
			return Sheet{}, err
		}
		out.Panels = append(out.Panels, panels...)
	}
	if len(out.Panels) == 0 {
		return Sheet{}, fmt.Errorf("figure: there are no symbols to draw")
	}
	return out, nil
}

// panels are the lines of one sequence, all with the same axes.
func (l Letters) panels() ([]Panel, error) {
	if len(l.Symbols) != len(l.Values) || len(l.Symbols) > letterMost {
		return nil, fmt.Errorf("figure: %d symbols with %d numbers cannot be drawn; up to %d can", len(l.Symbols), len(l.Values), letterMost)
	}
	widest, low, high := 1, 0.0, 0.0
	for i, s := range l.Symbols {
		widest = max(widest, utf8.RuneCountInString(s))
		low, high = min(low, l.Values[i]), max(high, l.Values[i])
	}
	if low == high {
		high = 1
	}
	strip := 0.22 * (high - low) // space for the symbols below the bars
	per := max(6, letterLine/widest)
	var out []Panel
	for from := 0; from < len(l.Symbols); from += per {
		to := min(from+per, len(l.Symbols))
		p := Panel{Bounds: &Bounds{X0: -0.7, X1: float64(per) - 0.3, Y0: low - strip, Y1: high + 0.04*(high-low)}}
		if from == 0 {
			p.Title = l.Title
		}
		for ink, sign := range []float64{1, -1} {
			bars := columns{Name: []string{l.Above, l.Below}[ink], Width: 0.86, Ink: Ink(ink)}
			for i := from; i < to; i++ {
				bars.X, bars.Heights = append(bars.X, float64(i-from)), append(bars.Heights, sign*math.Max(0, sign*l.Values[i]))
			}
			p.Layers = append(p.Layers, bars)
		}
		for i := from; i < to; i++ {
			p.Layers = append(p.Layers, Text{X: float64(i - from), Y: low - strip/2, Text: l.Symbols[i], Ink: Black, Size: 10})
		}
		p.Layers = append(p.Layers, layer(func(p *panel) error { p.X.Tick.Marker = places{from, to}; return nil }))
		out = append(out, p)
	}
	return out, nil
}

// places are the ticks of the places of a line, counted from 1 through all lines.
type places struct{ from, to int }

// Ticks marks the first place and every tenth.
func (t places) Ticks(float64, float64) []plot.Tick {
	var out []plot.Tick
	for i := t.from; i < t.to; i++ {
		if i == t.from || (i+1)%10 == 0 {
			out = append(out, plot.Tick{Value: float64(i - t.from), Label: strconv.Itoa(i + 1)})
		}
	}
	return out
}
