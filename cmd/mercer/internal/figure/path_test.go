package figure_test

import (
	"strings"
	"testing"

	"example.org/mercer/cmd/mercer/internal/figure"
)

// TestPath draws errors and curves; the axis is labelled by powers of ten that read as
// such, and few enough not to touch.
func TestPath(t *testing.T) {
	f := figure.Path{Best: 2, Score: "error", Others: "leave one out"}
	for i := range 19 {
		l := 100.0
		for range i {
			l /= 3.1622776601683795
		}
		f.Lambda, f.Train, f.Held = append(f.Lambda, l), append(f.Train, 1+float64(i)), append(f.Held, 2+float64(i))
	}
	svg, err := f.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">100<", ">0.01<", ">1e-6<", ">leave one out<"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	if strings.Contains(string(svg), "9999") {
		t.Error("a power of ten is labelled with its rounding")
	}
	f.Curves = &figure.Curves{Title: "rbf(sigma=1)", XLabel: "x", YLabel: "y", X: []float64{1, 2}, Y: []float64{3, 4},
		Lines: []figure.Curve{{Name: "λ = 1", X: []float64{1, 2}, Y: []float64{3, 3}}}}
	if svg, err = f.SVG(); err != nil || !strings.Contains(string(svg), ">λ = 1<") {
		t.Errorf("the curve is missing (%v)", err)
	}
	if _, err := f.PNG(); err != nil {
		t.Error(err)
	}
	narrow := figure.Path{Lambda: []float64{2, 3}, Train: []float64{1, 1}, Held: []float64{1, 2}}
	if svg, err = narrow.SVG(); err != nil || !strings.Contains(string(svg), ">2.00<") {
		t.Errorf("a range within a decade has no labels (%v)", err)
	}
	if _, err := (figure.Path{Lambda: []float64{1}}).SVG(); err == nil {
		t.Error("one λ was drawn without an error")
	}
}
