package simd

import (
	"testing"

	"example.org/mercer/internal/testkit"
)

// Squared distances of points of numbers and categories are those of Go at every level, for
// every number of rows and columns: differences whose last bits a fused sum has and Go has
// not, at most one rounding for each number.
func TestSquaredMixedAgreesWithGo(t *testing.T) {
	for _, l := range Supported() {
		for numbers := range 20 {
			for categories := range 5 {
				squaredMixedCase[float64](t, l, numbers, categories, 0x1p-53)
				squaredMixedCase[float32](t, l, numbers, categories, 0x1p-24)
			}
		}
	}
}

func squaredMixedCase[F Float](t *testing.T, l Level, numbers, categories int, u float64) {
	t.Helper()
	width, d, rng := panelWidth[F](), numbers+2*categories, testkit.Rand(t, uint64(100*numbers+categories))
	rows, count := 1+(numbers+categories)%8, (numbers+3*categories)%5
	stride := count*width + d%3
	fill := func(x []F) {
		for at := 0; at < len(x); at += width {
			for lane := range width {
				switch j := at / width % d; {
				case j < numbers:
					x[at+lane] = F(rng.NormFloat64())
				case (j-numbers)%2 == 0:
					x[at+lane] = F(rng.IntN(3))
				default:
					x[at+lane] = F(rng.Float64())
				}
			}
		}
	}
	a, b := make([]F, width*d), make([]F, count*width*d)
	fill(a)
	fill(b)
	want, got := make([]F, rows*stride), make([]F, rows*stride)
	for i := range want {
		want[i], got[i] = -7, -7
	}
	squaredMixedOf(Portable, want, stride, rows, a, b, numbers, categories, count)
	squaredMixedOf(l, got, stride, rows, a, b, numbers, categories, count)
	for i, v := range got {
		testkit.Close(t, "an element", float64(v), float64(want[i]), float64(d+1)*u*float64(max(want[i], 0)))
	}
}

func TestSquaredMixedByHand(t *testing.T) {
	a, b := make([]float64, 5*PanelWidth), make([]float64, 5*PanelWidth)
	for j, v := range []float64{1, 2, 0.5, 7, 3} { // one number, and two categories
		a[j*PanelWidth] = v
	}
	for j, v := range []float64{4, 2, 0.5, 9, 10} {
		b[j*PanelWidth+3] = v
	}
	got := make([]float64, PanelWidth)
	SquaredMixed(got, PanelWidth, 1, a, b, 1, 2, 1)
	if got[3] != 9+3+10 {
		t.Errorf("%v, want 9 of the numbers and 3 + 10 of the second category", got[3])
	}
}
