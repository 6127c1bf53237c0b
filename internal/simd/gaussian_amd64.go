//go:build amd64 && !purego && !noasm

package simd

// hasGaussians reports whether a level has loops for [Gaussians32].
func hasGaussians(l Level) bool { return l == AVX512 }

// gaussianLoops are those for 1, 2, 4, … rows.
var gaussianLoops = []func(dst *float32, stride int, a, b, rows, cols *float32, d, count int) (fine uint64){
	gaussians32AVX512x1, gaussians32AVX512x2, gaussians32AVX512x4, gaussians32AVX512x8,
}

// pairedLoops are those of [PairedGaussians32].
var pairedLoops = []func(dst *float32, stride int, a, b, rows, cols *float32, d, count int) (fine uint64){
	pairedGaussians32AVX512x1, pairedGaussians32AVX512x2, pairedGaussians32AVX512x4, pairedGaussians32AVX512x8,
}

func pairedGaussians(dst []float32, stride int, a, b []float32, rows, cols PairedNorms, height, d, count int) bool {
	fine := uint64(1)
	for i := 0; i < height; {
		n := mostRows(len(pairedLoops), height-i)
		fine &= pairedLoops[n](&dst[i*stride], stride, &a[i], &b[0], &rows[i], &cols[0], d, count)
		i += 1 << n
	}
	return fine != 0
}

func pairedHalfSquares(dst, a, b []float32, row, cols PairedNorms, d, count int) {
	pairedHalfSquares32AVX512(&dst[0], 0, &a[0], &b[0], &row[0], &cols[0], d, count)
}

func gaussiansAt(_ Level, dst []float32, stride int, a, b, rowNorms, colNorms []float32, d, count int) bool {
	fine := uint64(1)
	for i := 0; i < len(rowNorms); {
		n := mostRows(len(gaussianLoops), len(rowNorms)-i)
		fine &= gaussianLoops[n](&dst[i*stride], stride, &a[i], &b[0], &rowNorms[i], &colNorms[0], d, count)
		i += 1 << n
	}
	return fine != 0
}

func gaussianFromInnerAt(l Level, dst, s, colNorms []float32, row float32) bool {
	switch l {
	case AVX512:
		return gaussianFromInner32AVX512(&dst[0], &s[0], &colNorms[0], len(s), row) != 0
	case AVX2:
		return gaussianFromInner32AVX2(&dst[0], &s[0], &colNorms[0], len(s), row) != 0
	}
	return gaussianFromInnerPlain(dst, s, colNorms, row)
}
