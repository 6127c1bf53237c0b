package figure

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"
)

func digits() Digits {
	return Digits{Title: "two images", Width: 2, Height: 3, White: -1, Black: 1, Rows: []DigitRow{
		{Name: "original", Images: [][]float64{{-1, 1, 0, 0, 1, -1}, {1, 1, 1, 1, 1, 1}}},
		{Name: "noisy", Images: [][]float64{{-3, 3, 0, 0, 1, -1}, {1, -1, 1, 1, math.Inf(-1), 1}}},
	}}
}

// White, grey and black pixels of the first image are found in the picture.
func TestDigitsPNG(t *testing.T) {
	d := digits()
	text, err := d.PNG()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	img := d.grey(d.Rows[1].Images[0])
	for _, tc := range []struct {
		x, y int
		want uint8
	}{{0, 0, 255}, {1, 0, 0}, {0, 1, 128}, {1, 2, 255}} {
		if got := img.At(tc.x*digitZoom+5, tc.y*digitZoom+5).(color.Gray).Y; got != tc.want {
			t.Errorf("pixel %d, %d is %d, want %d", tc.x, tc.y, got, tc.want)
		}
	}
}

func TestDigitsSVG(t *testing.T) {
	text, err := digits().SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"two images", "original", "noisy"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if n := strings.Count(string(text), "<image"); n != 4 {
		t.Errorf("%d images, want 4", n)
	}
}

func TestDigitsRefuse(t *testing.T) {
	for name, spoil := range map[string]func(d *Digits){
		"no rows":      func(d *Digits) { d.Rows = nil },
		"no pixels":    func(d *Digits) { d.Width = 0 },
		"no contrast":  func(d *Digits) { d.Black = d.White },
		"other size":   func(d *Digits) { d.Height = 2 },
		"other number": func(d *Digits) { d.Rows[1].Images = d.Rows[1].Images[:1] },
	} {
		d := digits()
		spoil(&d)
		if _, err := d.PNG(); err == nil || !strings.HasPrefix(err.Error(), "figure: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDigitNames wants the names of rows to take at most a tenth of the width, whatever they say.
func TestDigitNames(t *testing.T) {
	d := Digits{Width: 16, Height: 16, White: -1, Black: 1}
	for _, name := range []string{"original", "Gaussian noise, deviation 0.5: error 0.250", "kernel PCA, σ = 14.6, 96 components: error 0.053"} {
		r := DigitRow{Name: name}
		for range 10 {
			r.Images = append(r.Images, make([]float64, 256))
		}
		d.Rows = append(d.Rows, r)
	}
	s := d.strip()
	if share := float64(s.named / s.width); share > namedShare || share < 0.03 {
		t.Errorf("the names take %.3f of the width, more than %g", share, namedShare)
	}
	for i, lines := range s.names {
		if got := strings.Join(strings.Fields(strings.Join(lines, " ")), ""); got != strings.NewReplacer(" ", "", ",", "", ":", "").Replace(d.Rows[i].Name) {
			t.Errorf("the name %q is written %q", d.Rows[i].Name, lines)
		}
	}
	if s.tallest() > s.h+0.1 {
		t.Errorf("names of a height of %.1f beside images of %.1f", s.tallest(), s.h)
	}
}
