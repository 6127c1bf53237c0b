package figure

import (
	"image/color"
	"math"
	"slices"
	"testing"
)

// visions are the matrices of Machado, Oliveira and Fernandes (2009) on linear RGB: trichromats,
// and those without long, medium or short cones.
var visions = map[string][3][3]float64{
	"usual":        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// lab returns CIE L*a*b* of a colour as somebody sees it.
func lab(c color.RGBA, seen [3][3]float64) [3]float64 {
	var linear, v [3]float64
	for i, x := range []uint8{c.R, c.G, c.B} {
		s := float64(x) / 255
		if linear[i] = s / 12.92; s > 0.04045 {
			linear[i] = math.Pow((s+0.055)/1.055, 2.4)
		}
	}
	for i := range v {
		for j := range linear {
			v[i] += seen[i][j] * linear[j]
		}
		v[i] = min(max(v[i], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (t*24389/27 + 16) / 116
	}
	x, y, z := f((0.4124*v[0]+0.3576*v[1]+0.1805*v[2])/0.9505), f(0.2126*v[0]+0.7152*v[1]+0.0722*v[2]), f((0.0193*v[0]+0.1192*v[1]+0.9505*v[2])/1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// difference is ΔE of two colours.
func difference(a, b color.RGBA, seen [3][3]float64) float64 {
	u, v := lab(a, seen), lab(b, seen)
	return math.Sqrt((u[0]-v[0])*(u[0]-v[0]) + (u[1]-v[1])*(u[1]-v[1]) + (u[2]-v[2])*(u[2]-v[2]))
}

// TestTenColours wants ten colours of classes that everybody tells apart, and from white.
func TestTenColours(t *testing.T) {
	white := color.RGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}
	for name, seen := range visions {
		for i := range 10 {
			for j := range i {
				if d := difference(ink(i), ink(j), seen); d < 15 {
					t.Errorf("%s: the colours of classes %d and %d differ by %.1f", name, i, j, d)
				}
			}
			if d := difference(ink(i), white, seen); d < 28 {
				t.Errorf("%s: the colour of class %d differs from white by %.1f", name, i, d)
			}
		}
	}
}

// TestTenShapes wants ten outlines, and another pair of shape and colour for each of many classes.
func TestTenShapes(t *testing.T) {
	seen := map[[2]int]bool{}
	for class := range maxGroups {
		seen[[2]int{int(ShapeOf(class)), class % len(inks)}] = true
	}
	if len(seen) != maxGroups {
		t.Errorf("%d classes have %d pairs of colour and shape", maxGroups, len(seen))
	}
	for i := range outlines {
		for j := range i {
			if slices.Equal(outlines[i], outlines[j]) {
				t.Errorf("shapes %d and %d are the same", i, j)
			}
		}
	}
}

// TestMarksDifferFromRegions compares the mark of every class with the regions of all, and with
// the colours of fields.
func TestMarksDifferFromRegions(t *testing.T) {
	for name, seen := range visions {
		for i := range 10 {
			for j := range 10 {
				if d := difference(ink(i), shade(j, 5), seen); d < 12 {
					t.Errorf("%s: marks of class %d differ from the region of %d by %.1f", name, i, j, d)
				}
			}
		}
	}
}

// TestNumbersRise wants colours of numbers that darken all the way.
func TestNumbersRise(t *testing.T) {
	for _, sign := range []float64{1, -1} {
		before := 101.0
		for k := range 41 {
			l := lightness(diverging(sign * float64(k) / 40))
			if l >= before {
				t.Errorf("the colour of %g is not darker than that before it", sign*float64(k)/40)
			}
			before = l
		}
	}
}
