//go:build amd64 && !purego && !noasm

package simd

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
