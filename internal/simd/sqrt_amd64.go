//go:build amd64 && !purego && !noasm

package simd

// sqrtAt runs the assembly of a level on whole registers and plain Go on what is left.
func sqrtAt(l Level, dst, x []float64, scale float64) {
	whole := 0
	if l != Portable {
		if whole = len(x) &^ 7; whole > 0 {
			if l == AVX512 {
				sqrtAVX512(&dst[0], &x[0], whole, scale)
			} else {
				sqrtAVX2(&dst[0], &x[0], whole, scale)
			}
		}
	}
	sqrtPlain(dst[whole:], x[whole:], scale)
}
