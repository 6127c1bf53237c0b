package figure

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

func tested(axes int) Tested {
	w := &Witness{Title: "w", Samples: [2]string{"left", "right"}, First: 2, Features: []string{"age", "size"}[:axes], AtRows: []float64{0.2, 0.1, -0.3}}
	for range axes {
		w.Axes, w.Points = append(w.Axes, []float64{0, 1, 2}), append(w.Points, []float64{0.5, 1, 1.5})
	}
	w.Values = []float64{1, 0, -1}
	if axes == 2 {
		w.Values = []float64{1, 0, -1, 1, 0, -1, 1, 0, -2}
	}
	return Tested{Witness: w, Null: Null{Title: "null", Statistic: "MMD²", Permuted: []float64{0.1, 0.2, 0.15, 0.1}, Observed: 0.5, P: 0.2}}
}

func TestTested(t *testing.T) {
	for axes := range 3 {
		raw, err := tested(axes).SVG()
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range append([]string{"MMD²", "left", "right", "p = 0.2", "4 permutations"}, []string{"age", "size"}[:axes]...) {
			if !strings.Contains(string(raw), want) {
				t.Errorf("%d features: no %q in the picture", axes, want)
			}
		}
		if raw, err = tested(axes).PNG(); err != nil {
			t.Fatal(err)
		}
		if img, err := png.Decode(bytes.NewReader(raw)); err != nil || img.Bounds().Dx() < 2*img.Bounds().Dy() {
			t.Errorf("two panels side by side: %v", err)
		}
	}
}

func TestNullAlone(t *testing.T) {
	n := Null{Statistic: "HSIC", Density: &Curve{Name: "gamma", X: []float64{0, 1, 2}, Y: []float64{0, 1, 0.2}}, Observed: 1.5, P: 0.01}
	raw, err := n.SVG()
	if err != nil || !strings.Contains(string(raw), "density") || !strings.Contains(string(raw), "gamma") {
		t.Errorf("%v", err)
	}
	if _, err := n.PNG(); err != nil {
		t.Error(err)
	}
	if _, err := (Null{}).PNG(); err == nil {
		t.Error("a test without a null was drawn")
	}
	bad := tested(1)
	bad.Witness.First = 0
	if _, err := bad.PNG(); err == nil {
		t.Error("a witness of one sample was drawn")
	}
	flat := tested(0)
	flat.Witness.AtRows = []float64{1, 1, 1}
	if _, err := flat.PNG(); err == nil {
		t.Error("a constant witness was drawn as histograms")
	}
}
