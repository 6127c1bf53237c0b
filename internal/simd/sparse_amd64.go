//go:build amd64 && !purego && !noasm

package simd

func sparseInnerAt[F Float](l Level, out []F, index []int32, value []F, b []F, d int) {
	if l == Portable {
		sparseInnerPlain(out, index, value, b, d)
		return
	}
	n, count := len(index), len(out)/panelWidth[F]()
	switch out := any(&out[0]).(type) {
	case *float64:
		value, b := any(&value[0]).(*float64), any(&b[0]).(*float64)
		if l == AVX512 {
			sparseInnerAVX512(out, &index[0], value, n, b, d, count)
		} else {
			sparseInnerAVX2(out, &index[0], value, n, b, d, count)
		}
	case *float32:
		value, b := any(&value[0]).(*float32), any(&b[0]).(*float32)
		if l == AVX512 {
			sparseInner32AVX512(out, &index[0], value, n, b, d, count)
		} else {
			sparseInner32AVX2(out, &index[0], value, n, b, d, count)
		}
	}
}
