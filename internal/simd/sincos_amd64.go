//go:build amd64 && !purego && !noasm

package simd

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
