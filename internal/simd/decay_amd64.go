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

// decayScale turns exp(−rate·x) into a power of 2.
func decayScale(rate float32) float32 { return float32(-math.Log2E * float64(rate)) }
