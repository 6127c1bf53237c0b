//go:build amd64 && !purego && !noasm

package simd

// expAt runs the assembly of a level on whole registers and once more on what is left,
// filled up with zeros.
func expAt(l Level, dst, x []float64, scale float64) {
	if l == Portable {
		expPlain(dst, x, scale)
		return
	}
	whole := len(x) &^ 7
	if whole > 0 {
		expRegisters(l, &dst[0], &x[0], whole, scale)
	}
	if whole < len(x) {
		var rest [8]float64
		copy(rest[:], x[whole:])
		expRegisters(l, &rest[0], &rest[0], len(rest), scale)
		copy(dst[whole:], rest[:])
	}
}

func expRegisters(l Level, dst, x *float64, n int, scale float64) {
	if l == AVX512 {
		expAVX512(dst, x, n, scale)
	} else {
		expAVX2(dst, x, n, scale)
	}
}
