//go:build amd64 && !purego && !noasm

package simd

// mixedLoop is [SquaredMixed] for a fixed number of rows.
type mixedLoop[F Float] func(dst *F, stride int, a, b *F, numbers, categories, count int)

var (
	mixedLoops = [AVX512 + 1][]mixedLoop[float64]{
		AVX2:   {mixedAVX2x1, mixedAVX2x2, mixedAVX2x4},
		AVX512: {mixedAVX512x1, mixedAVX512x2, mixedAVX512x4, mixedAVX512x8},
	}
	mixedLoops32 = [AVX512 + 1][]mixedLoop[float32]{
		AVX2:   {mixed32AVX2x1, mixed32AVX2x2, mixed32AVX2x4},
		AVX512: {mixed32AVX512x1, mixed32AVX512x2, mixed32AVX512x4, mixed32AVX512x8},
	}
)

// squaredMixedAt runs the assembly of a level on as many rows at a time as it has a loop for.
func squaredMixedAt[F Float](l Level, dst []F, stride, rows int, a, b []F, numbers, categories, count int) {
	loops, ok := any(mixedLoops[l]).([]mixedLoop[F])
	if !ok {
		loops = any(mixedLoops32[l]).([]mixedLoop[F])
	}
	if loops == nil {
		squaredMixedPlain(dst, stride, rows, a, b, numbers, categories, count)
		return
	}
	for i := 0; i < rows; {
		n := mostRows(len(loops), rows-i)
		loops[n](&dst[i*stride], stride, &a[i], &b[0], numbers, categories, count)
		i += 1 << n
	}
}

// narrowAt runs the assembly of a level on eight numbers at a time and plain Go on what
// is left.
func narrowAt(l Level, dst []float32, x []float64) {
	whole := len(x) &^ 7
	switch {
	case whole == 0 || l == Portable:
		whole = 0
	case l == AVX512:
		narrowAVX512(&dst[0], &x[0], whole)
	default:
		narrowAVX2(&dst[0], &x[0], whole)
	}
	narrowPlain(dst[whole:], x[whole:])
}
