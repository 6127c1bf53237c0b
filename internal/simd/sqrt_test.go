package simd

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// TestSqrtSweep compares with math.Sqrt to the bit, for all lengths at every offset from
// alignment, in place and not, and wants guards untouched.
func TestSqrtSweep(t *testing.T) {
	rng := testkit.Rand(t, 63)
	const guard, guards = -12345.25, 9
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), 5e-324, math.MaxFloat64}
	for _, l := range Supported() {
		for n := range 201 {
			x := slices.Repeat([]float64{guard}, guards+n+guards)
			from, scale := n%guards, 3*rng.Float64()
			part := x[from : from+n]
			want := make([]float64, n)
			for i := range part {
				part[i] = math.Exp(40 * rng.NormFloat64())
				if rng.IntN(4) == 0 {
					part[i] = special[rng.IntN(len(special))]
				}
				want[i] = math.Sqrt(scale * part[i])
			}
			dst := slices.Repeat([]float64{guard}, len(x))
			sqrtAt(l, dst[guards-from:guards-from+n], part, scale)
			checkGuarded(t, fmt.Sprintf("%v, n=%d", l, n), dst, guards-from, want, guard)
			sqrtAt(l, part, part, scale)
			checkGuarded(t, fmt.Sprintf("%v, n=%d in place", l, n), x, from, want, guard)
		}
		bad := slices.Repeat([]float64{-1, math.NaN()}, 5)
		sqrtAt(l, bad, bad, 1)
		for i, v := range bad {
			if !math.IsNaN(v) {
				t.Errorf("%v: root %d of a negative number or NaN is %v", l, i, v)
			}
		}
	}
}
