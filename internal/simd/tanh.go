package simd

import "math"

// Tanh stores tanh(scale·x[i]) in dst[i] for every i < len(x); the product is rounded
// first. dst and x may be the same slice but must not overlap otherwise; dst may not be
// shorter. The error is at most 3 units in the last place, subnormal results included;
// the result is odd in x to the bit, ±1 at ±Inf, and NaN at NaN.
func Tanh(dst, x []float64, scale float64) { tanhAt(Best(), dst[:len(x)], x, scale) }

// tanhPlain is [Tanh] in plain Go.
func tanhPlain(dst, x []float64, scale float64) {
	for i, v := range x {
		dst[i] = math.Tanh(scale * v)
	}
}
