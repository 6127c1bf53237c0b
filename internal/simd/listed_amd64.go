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
