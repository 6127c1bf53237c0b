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

func expAt(l Level, dst, x []float64, scale float64) {
	switch {
	case len(x) == 0:
	case l == AVX512:
		expAVX512(&dst[0], &x[0], len(x), scale)
	case l == AVX2:
		expAVX2(&dst[0], &x[0], len(x), scale)
	default:
		expPlain(dst, x, scale)
	}
}

func exp32At(l Level, dst, x []float32, scale float32) {
	switch {
	case len(x) == 0:
	case l == AVX512:
		exp32AVX512(&dst[0], &x[0], len(x), scale)
	case l == AVX2:
		exp32AVX2(&dst[0], &x[0], len(x), scale)
	default:
		exp32Plain(dst, x, scale)
	}
}

func logAt(l Level, dst, x []float64, scale float64) {
	switch {
	case len(x) == 0:
	case l == AVX512:
		logAVX512(&dst[0], &x[0], len(x), scale)
	case l == AVX2:
		logAVX2(&dst[0], &x[0], len(x), scale)
	default:
		logPlain(dst, x, scale)
	}
}

func log1pAt(l Level, dst, x []float64, scale float64) {
	switch {
	case len(x) == 0:
	case l == AVX512:
		log1pAVX512(&dst[0], &x[0], len(x), scale)
	case l == AVX2:
		log1pAVX2(&dst[0], &x[0], len(x), scale)
	default:
		log1pPlain(dst, x, scale)
	}
}

func sincosAt(l Level, sin, cos, x []float64, amplitude float64) {
	var beyond uint64
	switch {
	case len(x) == 0:
	case l == AVX512:
		sincosAVX512(&sin[0], &cos[0], &x[0], len(x), amplitude, &beyond)
	case l == AVX2:
		sincosAVX2(&sin[0], &cos[0], &x[0], len(x), amplitude, &beyond)
	default:
		sincosPlain(sin, cos, x, amplitude)
	}
	if beyond != 0 {
		sincosBeyond(sin, cos, x, amplitude)
	}
}

func sqrtAt(l Level, dst, x []float64, scale float64) {
	switch {
	case len(x) == 0:
	case l == AVX512:
		sqrtAVX512(&dst[0], &x[0], len(x), scale)
	case l == AVX2:
		sqrtAVX2(&dst[0], &x[0], len(x), scale)
	default:
		sqrtPlain(dst, x, scale)
	}
}

func sqrt32At(l Level, dst, x []float32, scale float32) {
	switch {
	case len(x) == 0:
	case l == AVX512:
		sqrt32AVX512(&dst[0], &x[0], len(x), scale)
	case l == AVX2:
		sqrt32AVX2(&dst[0], &x[0], len(x), scale)
	default:
		sqrt32Plain(dst, x, scale)
	}
}

func tanhAt(l Level, dst, x []float64, scale float64) {
	switch {
	case len(x) == 0:
	case l == AVX512:
		tanhAVX512(&dst[0], &x[0], len(x), scale)
	case l == AVX2:
		tanhAVX2(&dst[0], &x[0], len(x), scale)
	default:
		tanhPlain(dst, x, scale)
	}
}
