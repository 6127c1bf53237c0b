//go:build amd64 && !purego && !noasm

package simd

func hasExpDistances(l Level) bool { return l == AVX512 }

// expDistanceLoops are those for 1, 2, 4, … rows.
var expDistanceLoops = []func(dst *float64, stride int, a, b, rows, cols *float64, d, count int, scale float64) (fine uint64){
	expDistancesAVX512x1, expDistancesAVX512x2, expDistancesAVX512x4, expDistancesAVX512x8,
}

func expDistancesAt(l Level, dst []float64, stride int, a, b, rowNorms, colNorms []float64, d, count int, scale float64) bool {
	if !hasExpDistances(l) {
		panic("simd: distances: no assembly at this level")
	}
	fine := uint64(1)
	for i := 0; i < len(rowNorms); {
		n := mostRows(len(expDistanceLoops), len(rowNorms)-i)
		fine &= expDistanceLoops[n](&dst[i*stride], stride, &a[i], &b[0], &rowNorms[i], &colNorms[0], d, count, scale)
		i += 1 << n
	}
	return fine != 0
}
