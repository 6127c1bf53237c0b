//go:build amd64 && !purego && !noasm

package simd

import "math"

func decayAt(l Level, dst, x []float32, rate float32) {
	switch {
	case len(x) == 0:
	case l == AVX512:
		decay32AVX512(&dst[0], &x[0], len(x), decayScale(rate))
	case l == AVX2:
		decay32AVX2(&dst[0], &x[0], len(x), decayScale(rate))
	default:
		exp32Plain(dst, x, -rate)
	}
}

func decayFromInnerAt(l Level, dst, s, cols []float32, row, kept, rate float32) bool {
	switch l {
	case AVX512:
		return decayFromInner32AVX512(&dst[0], &s[0], &cols[0], len(s), row, kept, decayScale(rate)) != 0
	case AVX2:
		return decayFromInner32AVX2(&dst[0], &s[0], &cols[0], len(s), row, kept, decayScale(rate)) != 0
	}
	return decayFromInnerPlain(dst, s, cols, row, kept, rate)
}

// decayScale turns exp(−rate·x) into a power of 2.
func decayScale(rate float32) float32 { return float32(-math.Log2E * float64(rate)) }
