package simd

// Decay32 stores exp(−rate·x[i]) in dst[i] for every i < len(x), for rate·x[i] ≥ 0. It is
// faster than [Exp32] and its relative error is at most (2 + 2·rate·x[i])·2⁻²⁴ where the
// result is not subnormal: no more than what rounding rate and x[i] does to the
// exponential. The absolute error is at most 2·2⁻²⁴. exp(0) is exactly 1, exp(−∞) is 0,
// and NaN stays NaN. dst and x may be the same slice but must not overlap otherwise; dst
// may not be shorter.
func Decay32(dst, x []float32, rate float32) {
	decayAt(Best(), dst[:len(x)], x, rate)
}
