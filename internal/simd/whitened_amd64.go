//go:build amd64 && !purego && !noasm

package simd

func whitenedNormsAt(l Level, w *Whitenings, dst, x []float64, stride int) {
	switch l {
	case AVX512:
		whitenedNormsAVX512(&dst[0], &x[0], stride, &w.packed[0], &w.offset[0], w.d, w.count)
	case AVX2:
		whitenedNormsAVX2(&dst[0], &x[0], stride, &w.packed[0], &w.offset[0], w.d, w.count)
	default:
		whitenedNormsPlain(w, dst, x, stride)
	}
}
