package figure

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"
)

func lines(n int) Curves {
	c := Curves{Title: "robust", XLabel: "year", YLabel: "calls", X: []float64{0, 1, 2}, Y: []float64{0, 1, 9}}
	for range n {
		c.Lines = append(c.Lines, Curve{Name: "huber", X: []float64{0, 2}, Y: []float64{0, 2}})
	}
	return c
}

func TestCurvesPNG(t *testing.T) {
	data, err := lines(1).PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	orange := 0
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if r, g, b, _ := img.At(x, y).RGBA(); r > 0xc000 && g < 0x8000 && b < 0x4000 {
				orange++
			}
		}
	}
	if orange < img.Bounds().Dx()/4 {
		t.Errorf("%d orange points: the line is missing", orange)
	}
}

func TestCurvesSVG(t *testing.T) {
	data, err := lines(12).SVG()
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{"robust", "year", "calls", "huber", "stroke-dasharray"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture does not contain %q", want)
		}
	}
	plain, err := lines(10).SVG()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(plain), "stroke-dasharray:5") {
		t.Error("six lines need no dashes")
	}
}

func TestCurvesRefuse(t *testing.T) {
	if _, err := (Curves{}).PNG(); err == nil {
		t.Error("an empty picture was accepted")
	}
	c := lines(1)
	c.Lines[0].Y = nil
	if _, err := c.PNG(); err == nil || !strings.Contains(err.Error(), `line "huber"`) {
		t.Errorf("a line without ordinates: %v", err)
	}
	c = lines(1)
	c.Lines[0].Y[0] = math.NaN()
	if _, err := c.SVG(); err == nil {
		t.Error("NaN was accepted")
	}
}
