//go:build amd64 && !purego && !noasm

package simd

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
