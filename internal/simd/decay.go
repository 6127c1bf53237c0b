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

// DecayFromInner32 stores exp(−rate·tⱼ) in dst[j], where tⱼ is what [SquaredFromInner32]
// makes of s[j], to the bit as that and [Decay32] do, for rate ≥ 0 and norms that are
// finite. s is left as it is, and must not overlap with dst. Where it returns false, as
// [SquaredFromInner32] would, dst is arbitrary. len(s) must be a multiple of
// [PanelWidth32].
func DecayFromInner32(dst, s, cols []float32, row, kept, rate float32) bool {
	return decayFromInnerOf(Best(), dst, s, cols, row, kept, rate)
}

// decayFromInnerOf is DecayFromInner32 at a level.
func decayFromInnerOf(l Level, dst, s, cols []float32, row, kept, rate float32) bool {
	if len(s)%PanelWidth32 != 0 {
		panic("simd: the length must be a multiple of the width of a panel")
	}
	return len(s) == 0 || decayFromInnerAt(l, dst[:len(s)], s, cols[:len(s)], row, kept, rate)
}

// decayFromInnerPlain is the same in plain Go.
func decayFromInnerPlain(dst, s, cols []float32, row, kept, rate float32) bool {
	copy(dst, s)
	if !fromNormsPlain(dst, cols, row, kept) {
		return false
	}
	exp32Plain(dst, dst, -rate)
	return true
}
