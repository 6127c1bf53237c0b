package simd

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/internal/testkit"
)

// sinAt and cosAt are the halves of sincosAt, for tests of functions.
func sinAt(l Level, dst, x []float64, amplitude float64) {
	sincosAt(l, dst, make([]float64, len(x)), slices.Clone(x), amplitude)
}

func cosAt(l Level, dst, x []float64, amplitude float64) {
	sincosAt(l, make([]float64, len(x)), dst, slices.Clone(x), amplitude)
}

// angles returns numbers below a limit of either sign, of all sizes, and such next to
// multiples of π/4, where sine or cosine nearly vanish and quadrants end.
func angles(t *testing.T, limit float64) (xs []float64) {
	rng := testkit.Rand(t, 97)
	n := 4000
	if testing.Short() {
		n = 800
	}
	for i := range n {
		x := math.Exp(math.Log(limit) * rng.Float64())
		switch i % 4 {
		case 0:
			x = math.Exp(-20 * rng.Float64())
		case 1:
			x = math.Round(x/(math.Pi/4)) * (math.Pi / 4)
		case 2:
			x = 10 * rng.Float64()
		}
		if i%8 > 3 {
			x = -x
		}
		if x != 0 && math.Abs(x) < limit {
			xs = append(xs, x)
		}
	}
	return xs
}

func TestSincosAgainstExact(t *testing.T) {
	xs := angles(t, 0x1p30)
	for _, l := range Supported() {
		if l == Portable {
			continue
		}
		if e := worstUlps(t, l, sinAt, bigmath.Sin, xs); !(e <= 2) {
			t.Errorf("%v: sines: error of %.2f units in the last place", l, e)
		}
		if e := worstUlps(t, l, cosAt, bigmath.Cos, xs); !(e <= 2) {
			t.Errorf("%v: cosines: error of %.2f units in the last place", l, e)
		}
	}
}

// The plain twin is right to 2⁻⁵², and so is what assembly says of the same numbers.
func TestSincosLevelsAgree(t *testing.T) {
	xs := angles(t, 0x1p29)
	sin, cos := make([]float64, len(xs)), make([]float64, len(xs))
	sincosPlain(sin, cos, xs, 1)
	for i, x := range xs {
		for _, c := range []struct {
			exact func(x *big.Float, prec uint) (*big.Float, error)
			got   float64
		}{{bigmath.Sin, sin[i]}, {bigmath.Cos, cos[i]}} {
			v, err := c.exact(big.NewFloat(x), 100)
			if err != nil {
				t.Fatal(err)
			}
			if off, _ := new(big.Float).Sub(v, big.NewFloat(c.got)).Float64(); !(math.Abs(off) <= 0x1p-52) {
				t.Fatalf("at %v: %v is off by %g", x, c.got, off)
			}
		}
	}
	for _, l := range Supported() {
		s, c := make([]float64, len(xs)), make([]float64, len(xs))
		sincosAt(l, s, c, xs, 1)
		testkit.CloseSlice(t, l.String()+" sines", s, sin, 0x1p-51)
		testkit.CloseSlice(t, l.String()+" cosines", c, cos, 0x1p-51)
	}
}

func TestSincosAtTheEdges(t *testing.T) {
	x := []float64{0, math.Copysign(0, -1), 5e-324, -1e-300, 1e22, -0x1p30, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, l := range Supported() {
		sin, cos := make([]float64, len(x)), make([]float64, len(x))
		sincosAt(l, sin, cos, x, 1)
		for i, v := range x {
			s, c := math.Sincos(v)
			if sin[i] != s && !(math.IsNaN(s) && math.IsNaN(sin[i])) || cos[i] != c && !(math.IsNaN(c) && math.IsNaN(cos[i])) {
				t.Errorf("%v: sine and cosine of %v are %v and %v, want %v and %v", l, v, sin[i], cos[i], s, c)
			}
		}
	}
}

func TestSincosSweep(t *testing.T) {
	sweep(t, sinAt)
	sweep(t, cosAt)
}
