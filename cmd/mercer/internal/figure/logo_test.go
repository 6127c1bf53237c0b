package figure

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// The letters of a place are as high together as it is certain: 2 bits of four symbols where one is
// always there, 1 bit where two are equally frequent, none where all are.
func TestLogoHeights(t *testing.T) {
	l := Logo{Title: "motif", Symbols: []string{"A", "C", "G", "T"}, Frequencies: [][]float64{{1, 0, 0, 0}, {0.5, 0, 0.5, 0}, {0.25, 0.25, 0.25, 0.25}, {0.1, 0.2, 0.3, 0.4}}}
	for i, want := range []float64{2, 1, 0, 2 + 0.1*math.Log2(0.1) + 0.2*math.Log2(0.2) + 0.3*math.Log2(0.3) + 0.4*math.Log2(0.4)} {
		top := 0.0
		for _, letter := range l.stack(i, l.Frequencies[i], 2) {
			top = letter.to
		}
		if math.Abs(top-want) > 1e-12 {
			t.Errorf("place %d is %v bits high, want %v", i+1, top, want)
		}
	}
	svg, err := Logos{l, l}.SVG()
	if err != nil || !strings.Contains(string(svg), ">motif<") || !strings.Contains(string(svg), ">bits<") {
		t.Errorf("the picture lacks its letters (%v)", err)
	}
	if _, err := (Logos{{Symbols: []string{"A"}, Frequencies: [][]float64{{1, 0}}}}).PNG(); err == nil {
		t.Error("frequencies without symbols are drawn")
	}
	if _, err := (Logos{}).PNG(); err == nil {
		t.Error("a picture of nothing")
	}
}

// An outline fills its box, and what the font does not have has none.
func TestOutlineFillsItsBox(t *testing.T) {
	box := vg.Rectangle{Min: vg.Point{X: 3, Y: 5}, Max: vg.Point{X: 13, Y: 45}}
	low, high := vg.Point{X: 99, Y: 99}, vg.Point{}
	for _, c := range letterOutline('T', box) { // straight lines alone
		if c.Type == vg.CloseComp {
			continue
		}
		low.X, low.Y = min(low.X, c.Pos.X), min(low.Y, c.Pos.Y)
		high.X, high.Y = max(high.X, c.Pos.X), max(high.Y, c.Pos.Y)
	}
	if low != box.Min || high != box.Max {
		t.Errorf("from %v to %v, the box is %v", low, high, box)
	}
	if letterOutline('\U0010FFFD', box) != nil {
		t.Error("an outline of a letter that the font does not have")
	}
}
