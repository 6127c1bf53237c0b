package figure_test

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"example.org/mercer/cmd/mercer/internal/figure"
)

// TestScores draws a search over two orders of magnitude in both formats; the title
// names the best trial, whichever way is better.
func TestScores(t *testing.T) {
	s := figure.Scores{Title: "accuracy", X: "sigma", Y: "C", LargerIsBetter: true}
	for i, x := range []float64{0.1, 1, 10} {
		for j, y := range []float64{0.25, 4, 64} {
			s.Points = append(s.Points, figure.Scored{X: x, Y: y, Score: 0.5 + 0.1*float64(i) + 0.05*float64(j)})
		}
	}
	raw, err := s.PNG()
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	colours := map[[3]uint32]bool{}
	b := picture.Bounds()
	for x := b.Min.X; x < b.Max.X; x++ {
		for y := b.Min.Y; y < b.Max.Y; y++ {
			r, g, bl, _ := picture.At(x, y).RGBA()
			colours[[3]uint32{r, g, bl}] = true
		}
	}
	if len(colours) < 9 {
		t.Errorf("nine scores are drawn in %d colours", len(colours))
	}
	for larger, want := range map[bool]string{true: "best 0.8 at sigma = 10, C = 64", false: "best 0.5 at sigma = 0.1, C = 0.25"} {
		s.LargerIsBetter = larger
		svg, err := s.SVG()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if _, err := (figure.Scores{}).PNG(); err == nil {
		t.Error("nothing was drawn without an error")
	}
	same := figure.Scores{Title: "x", X: "a", Y: "b", Points: []figure.Scored{{X: 1, Y: -1, Score: 2}, {X: 1, Y: -1, Score: 2}}}
	if _, err := same.SVG(); err != nil {
		t.Errorf("one place with equal scores: %v", err)
	}
}
