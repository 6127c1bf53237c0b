package bigmath

import (
	"math"
	"math/big"
	"testing"
)

// asin undoes sin, at the ends too, and refuses what is no sine.
func TestAsin(t *testing.T) {
	get := must(t)
	for _, x := range []float64{0, 1e-300, -1e-20, 0.1, -0.5, 0.74, 0.76, -0.999, 1 - 0x1p-50, 1, -1} {
		y := get(Asin(big.NewFloat(x), testPrec))
		if near, _ := y.Float64(); math.Abs(near-math.Asin(x)) > 1e-15*math.Abs(near) {
			t.Errorf("asin(%g) = %g, want %g", x, near, math.Asin(x))
		}
		back := get(Sin(y, testPrec))
		diff, _ := new(big.Float).Sub(back, big.NewFloat(x)).Float64()
		if math.Abs(diff) > 0x1p-195*math.Abs(x) {
			t.Errorf("sin(asin(%g)) is off by %g", x, diff)
		}
	}
	if _, err := Asin(big.NewFloat(1.5), testPrec); err == nil {
		t.Error("1.5 is the sine of something")
	}
}

// erf is that of float64, and to 60 digits that of Abramowitz and Stegun's function at 1.
func TestErf(t *testing.T) {
	get := must(t)
	for _, x := range []float64{0, 1e-300, -1e-9, 0.3, -1, 2.5, -5, 9, 40} {
		near, _ := get(Erf(big.NewFloat(x), testPrec)).Float64()
		if want := math.Erf(x); math.Abs(near-want) > 4e-16*math.Abs(want) {
			t.Errorf("erf(%g) = %g, want %g", x, near, want)
		}
	}
	const digits = "0.84270079294971486934122063508260925929606699796630290845993789783471725409601"
	if got := get(Erf(big.NewFloat(1), 400)).Text('f', 77); got != digits {
		t.Errorf("erf(1) = %s, want %s", got, digits)
	}
}
