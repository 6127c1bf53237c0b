package simd

import "math"

// Log stores log(scale·x[i]) in dst[i] for every i < len(x); the product is rounded
// first. dst and x may be the same slice but must not overlap otherwise; dst may not be
// shorter. The error is at most 1 unit in the last place, 2 where x is subnormal;
// log(1) is exactly 0, and results for 0, negative numbers, +Inf and NaN are those of
// [math.Log].
func Log(dst, x []float64, scale float64) { logAt(Best(), dst[:len(x)], x, scale) }

// logPlain is [Log] in plain Go.
func logPlain(dst, x []float64, scale float64) {
	for i, v := range x {
		v *= scale
		if v > 0 && v < 0x1p-1022 { // math.Log is wrong here on some machines
			dst[i] = math.Log(v*0x1p54) - 54*math.Ln2
			continue
		}
		dst[i] = math.Log(v)
	}
}

// Log1p stores log(1 + scale·x[i]) in dst[i], for scale·x[i] ≥ 0, as [Log] does. The error
// is at most 2 units in the last place; log(1+0) is 0.
func Log1p(dst, x []float64, scale float64) { log1pAt(Best(), dst[:len(x)], x, scale) }

// log1pPlain is [Log1p] in plain Go.
func log1pPlain(dst, x []float64, scale float64) {
	for i, v := range x {
		dst[i] = math.Log1p(scale * v)
	}
}
