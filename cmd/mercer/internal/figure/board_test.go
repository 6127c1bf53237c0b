package figure

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
)

// The bars run from 0 to the scores, the best on top in a colour of its own.
func TestBoard(t *testing.T) {
	b := Board{Title: "families", X: "error", Names: []string{"rbf", "linear"}, Values: []float64{2, 5}, Lines: []BoardLine{{"mean of the targets", 8}}}
	s, err := b.sheet()
	if err != nil {
		t.Fatal(err)
	}
	var ends []float64
	var inks []Ink
	for _, l := range s.Panels[0].Layers {
		if bar, ok := l.(beam); ok {
			ends, inks = append(ends, bar.x0, bar.x1, bar.y), append(inks, bar.ink)
		}
	}
	testkit.CloseSlice(t, "bars", ends, []float64{0, 2, 1, 0, 5, 0}, 0)
	if inks[0] == inks[1] {
		t.Error("the best is not marked")
	}
	svg, err := b.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">rbf<", ">mean of the targets<", ">error<"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	for _, bad := range []Board{{}, {Names: []string{"a"}}, {Names: []string{"a"}, Values: []float64{math.Inf(1)}}} {
		if _, err := bad.PNG(); err == nil {
			t.Errorf("%v was drawn", bad)
		}
	}
}
