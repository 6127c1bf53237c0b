package figure

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

func TestFitPNG(t *testing.T) {
	f := Fit{Title: "fit", Target: "y", Observed: []float64{1, 2, 3}, Predicted: []float64{1.1, 1.9, 3.2}}
	data, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() < 2*b.Dy() {
		t.Errorf("the picture is %v: two panels side by side should be at least twice as wide as high", b)
	}
	coloured := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, _, b, _ := img.At(x, y).RGBA(); b > r+0x3000 {
				coloured++
			}
		}
	}
	if coloured == 0 {
		t.Error("the picture has no blue dots")
	}
}

func TestFitSVG(t *testing.T) {
	data, err := Fit{Title: "fit", Target: "price", Observed: []float64{1, 2}, Predicted: []float64{1, 2}}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "observed price") {
		t.Error("the axis does not name the target")
	}
}

func TestFitRefuses(t *testing.T) {
	if _, err := (Fit{Observed: []float64{1}, Predicted: nil}).PNG(); err == nil {
		t.Error("different lengths were accepted")
	}
	if _, err := (Fit{}).PNG(); err == nil {
		t.Error("an empty picture was accepted")
	}
	nan := []float64{0, 0 / zero}
	if _, err := (Fit{Observed: nan, Predicted: []float64{1, 2}}).PNG(); err == nil {
		t.Error("NaN was accepted")
	}
}

var zero float64
