package simd

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// All lengths at every offset from alignment, with numbers that overflow, become
// subnormal or are NaN, between guards.
func TestNarrowSweep(t *testing.T) {
	rng := testkit.Rand(t, 97)
	const guards = 17
	for _, l := range Supported() {
		for n := range 201 {
			from, x := n%guards, make([]float64, n+1)[1:]
			dst, want := slices.Repeat([]float32{guard}, guards+n+guards), slices.Repeat([]float32{guard}, guards+n+guards)
			for i := range x {
				x[i] = math.Exp(60 * rng.NormFloat64())
				if i%11 == 5 {
					x[i] = []float64{math.NaN(), math.Inf(-1), math.Copysign(0, -1)}[i%3]
				}
				want[from+i] = float32(x[i])
			}
			narrowAt(l, dst[from:from+n], x)
			for i, v := range dst {
				if math.Float32bits(v) != math.Float32bits(want[i]) && (v == v || want[i] == want[i]) {
					t.Fatalf("%v, n=%d: element %d is %v, want %v", l, n, i-from, v, want[i])
				}
			}
		}
	}
}
