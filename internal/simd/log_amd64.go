//go:build amd64 && !purego && !noasm

package simd

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
