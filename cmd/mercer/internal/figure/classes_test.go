package figure_test

import (
	"bytes"
	"image/png"
	"regexp"
	"strings"
	"testing"

	"example.org/mercer/cmd/mercer/internal/figure"
)

// TestClasses draws all three parts, and refuses to draw none.
func TestClasses(t *testing.T) {
	c := figure.Classes{
		Title: "svc: kind",
		Regions: &figure.Regions{X: "petal", Y: "sepal", Labels: []string{"rose", "lily", "weed"}, Xs: []float64{0, 1, 2}, Ys: []float64{0, 1},
			Class: [][]int{{0, 0, 1}, {1, 1, 1}}, Points: []figure.Point{{X: 0.2, Y: 0.1}, {X: 1.5, Y: 0.8, Class: 1}},
			Open: []figure.Point{{X: 1, Y: 0.5}}},
		ROC:         []figure.Curve{{Name: "lily", X: []float64{0, 0, 1}, Y: []float64{0, 1, 1}}},
		Reliability: []figure.Curve{{Name: "lily", X: []float64{0.1, 0.9}, Y: []float64{0, 1}}},
	}
	svg, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"svc: kind", "petal", "sepal", "rose", "without a label", "false alarms", "observed share"} {
		if !strings.Contains(string(svg), ">"+want+"<") {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if strings.Contains(string(svg), ">weed<") {
		t.Error("a class without points is in the legend")
	}
	raw, err := c.PNG()
	if err != nil {
		t.Fatal(err)
	}
	wide, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c.Regions, c.Reliability = nil, nil
	if raw, err = c.PNG(); err != nil {
		t.Fatal(err)
	}
	narrow, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if w, n := wide.Bounds().Dx(), narrow.Bounds().Dx(); w < 3*n-110 || w > 3*n {
		t.Errorf("three parts are %d wide, one is %d", w, n)
	}
	if _, err := (figure.Classes{}).SVG(); err == nil {
		t.Error("nothing was drawn without an error")
	}
}

// Cells of one class with probabilities in different tenths have different shades.
func TestRegionsArePalerWhereLessIsSure(t *testing.T) {
	fills := func(sure [][]float64) int {
		r := &figure.Regions{Labels: []string{"rose"}, Xs: []float64{0, 1, 2}, Ys: []float64{0, 1}, Class: [][]int{{0, 0, 0}, {0, 0, 0}}, Sure: sure}
		svg, err := figure.Classes{Regions: r}.SVG()
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, fill := range regexp.MustCompile(`fill:#[0-9A-F]{6}`).FindAllString(string(svg), -1) {
			seen[fill] = true
		}
		return len(seen)
	}
	plain, shaded := fills(nil), fills([][]float64{{0.41, 0.95, 1}, {0.45, 0.72, 0.79}})
	if shaded != plain+3+6 { // four tenths, one shade without probabilities, and six tenths in the bar
		t.Errorf("%d colours with probabilities, %d without", shaded, plain)
	}
}

// TestMargin: each class has its histogram, over the lines of the margin; a class without rows has
// none.
func TestMargin(t *testing.T) {
	m := &figure.Margin{Title: "2 support vectors of 4 rows", Labels: []string{"rose", "lily", "weed"}, Values: [][]float64{{-1, -1, -2.5}, {1.5}, nil}}
	svg, err := figure.Classes{Margin: m}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2 support vectors of 4 rows", "decision value f(x)", "rows", "rose", "lily", "margin, f = −1 and 1"} {
		if !strings.Contains(string(svg), ">"+want+"<") {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if strings.Contains(string(svg), ">weed<") {
		t.Error("a class without rows is in the key")
	}
	m.Values = [][]float64{{0}, {0}, nil}
	if _, err := (figure.Classes{Margin: m}).SVG(); err != nil {
		t.Errorf("equal values: %v", err)
	}
}
