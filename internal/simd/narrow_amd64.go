//go:build amd64 && !purego && !noasm

package simd

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
