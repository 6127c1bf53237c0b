package simd

import "math"

// Sqrt stores √(scale·x[i]) in dst[i] for every i < len(x); the product is rounded
// first. dst and x may be the same slice but must not overlap otherwise; dst may not be
// shorter. Results are those of [math.Sqrt], to the bit at every level.
func Sqrt(dst, x []float64, scale float64) { sqrtAt(Best(), dst[:len(x)], x, scale) }

// Sqrt32 is [Sqrt] for float32, likewise rounded correctly.
func Sqrt32(dst, x []float32, scale float32) { sqrt32At(Best(), dst[:len(x)], x, scale) }

// sqrt32Plain is [Sqrt32] in plain Go. The root in float64 has more than twice the digits
// of a float32, and so rounds to the nearest one.
func sqrt32Plain(dst, x []float32, scale float32) {
	for j, v := range x {
		dst[j] = float32(math.Sqrt(float64(float32(scale * v))))
	}
}

// sqrtPlain is [Sqrt] in plain Go.
func sqrtPlain(dst, x []float64, scale float64) {
	for j, v := range x {
		dst[j] = math.Sqrt(scale * v)
	}
}
