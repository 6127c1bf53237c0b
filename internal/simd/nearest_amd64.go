//go:build amd64 && !purego && !noasm

package simd

func nearestAt(l Level, c *Centres, to *Near, x []float64) {
	groups := len(c.half) / quad
	switch l {
	case AVX512:
		nearestAVX512(&to.First[0], &to.Second[0], &to.Index[0], &x[0], &c.packed[0], &c.half[0], &c.names[0], c.d, groups)
	case AVX2:
		nearestAVX2(&to.First[0], &to.Second[0], &to.Index[0], &x[0], &c.packed[0], &c.half[0], &c.names[0], c.d, groups)
	default:
		nearestPlain(c, to, x)
	}
}

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
