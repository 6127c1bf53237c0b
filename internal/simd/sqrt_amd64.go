//go:build amd64 && !purego && !noasm

package simd

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
