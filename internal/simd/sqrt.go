package simd

import "math"

// Sqrt stores √(scale·x[i]) in dst[i] for every i < len(x); the product is rounded
// first. dst and x may be the same slice but must not overlap otherwise; dst may not be
// shorter. Results are those of [math.Sqrt], to the bit at every level.
func Sqrt(dst, x []float64, scale float64) { sqrtAt(Best(), dst[:len(x)], x, scale) }

// sqrtPlain is [Sqrt] in plain Go.
func sqrtPlain(dst, x []float64, scale float64) {
	for j, v := range x {
		dst[j] = math.Sqrt(scale * v)
	}
}
