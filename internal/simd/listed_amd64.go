//go:build amd64 && !purego && !noasm

package simd

// listedLoop is [InnerListed] for a fixed number of rows.
type listedLoop[F Float] func(dst *F, stride int, a, b *F, index *int32, n, d, count int)

var (
	listedLoops = [AVX512 + 1][]listedLoop[float64]{
		AVX2:   {listedInnerAVX2x1, listedInnerAVX2x2, listedInnerAVX2x4},
		AVX512: {listedInnerAVX512x1, listedInnerAVX512x2, listedInnerAVX512x4, listedInnerAVX512x8},
	}
	listedLoops32 = [AVX512 + 1][]listedLoop[float32]{
		AVX2:   {listedInner32AVX2x1, listedInner32AVX2x2, listedInner32AVX2x4},
		AVX512: {listedInner32AVX512x1, listedInner32AVX512x2, listedInner32AVX512x4, listedInner32AVX512x8},
	}
)

// innerListedAt runs the assembly of a level on as many rows at a time as it has a loop for.
func innerListedAt[F Float](l Level, dst []F, stride, rows int, a, b []F, index []int32, d, count int) {
	loops, ok := any(listedLoops[l]).([]listedLoop[F])
	if !ok {
		loops = any(listedLoops32[l]).([]listedLoop[F])
	}
	if loops == nil {
		innerListedPlain(dst, stride, rows, a, b, index, d, count)
		return
	}
	for i := 0; i < rows; {
		n := mostRows(len(loops), rows-i)
		loops[n](&dst[i*stride], stride, &a[i], &b[0], &index[0], len(index), d, count)
		i += 1 << n
	}
}

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
