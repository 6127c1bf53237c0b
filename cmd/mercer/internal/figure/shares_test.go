package figure

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
)

// A waterfall goes from the base to the number, the last share first.
func TestWaterfall(t *testing.T) {
	w := Waterfall{Title: "row 1", X: "f", Base: 2, Names: []string{"age = 3", "size = 1", "the other 2"}, Values: []float64{-1.5, 0.5, 0.25}}
	p, err := w.panel()
	if err != nil {
		t.Fatal(err)
	}
	var ends []float64
	for _, l := range p.Layers {
		if b, ok := l.(beam); ok {
			ends = append(ends, b.x0, b.x1, b.y)
		}
	}
	testkit.CloseSlice(t, "bars", ends, []float64{2.75, 1.25, 2, 2.25, 2.75, 1, 2, 2.25, 0}, 0)
	svg, err := Waterfalls{w}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">age = 3<", ">the other 2<", "-1.5", "+0.25"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	if _, err := (Waterfalls{{Names: []string{"a"}}}).PNG(); err == nil {
		t.Error("a name without a share was drawn")
	}
	if _, err := (Waterfalls{}).PNG(); err == nil {
		t.Error("a picture of nothing")
	}
}

// Dots of a swarm stand at their shares, those at the same place beside one another.
func TestBeeswarm(t *testing.T) {
	b := Beeswarm{X: "φ", Names: []string{"age", "kind"}, Values: [][]float64{{1, 1, 1, -1}, {0, 0, 0, 0.5}},
		Shades: [][]float64{{1, 2, 3, 4}, {math.NaN(), math.NaN(), math.NaN(), math.NaN()}}}
	testkit.CloseSlice(t, "heights", aside(b.Values[0], -1, 1, 1), []float64{1, 0.9, 1.1, 1}, 1e-15)
	svg, err := Beeswarms{b}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">age<", ">kind<", ">standardised value<"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	testkit.CloseSlice(t, "standardised", standardised([]float64{1, 3, 5})[:1], []float64{-math.Sqrt(1.5)}, 1e-15)
	testkit.CloseSlice(t, "constant", standardised([]float64{2, 2}), []float64{0, 0}, 0)
	if heat(math.NaN()) != heat(0) || heat(-3) != Ink(1).color() || heat(9) != Ink(0).color() {
		t.Error("low numbers are not blue, or high ones not orange, or none not grey")
	}
	b.Values[1] = nil
	if _, err := (Beeswarms{b}).PNG(); err == nil {
		t.Error("a line without dots was drawn")
	}
}
