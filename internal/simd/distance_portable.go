//go:build !amd64 || purego || noasm

package simd

func panelsAt(_ Level, s Statistic, dst []float64, stride, rows int, a, b, w []float64, d, count int) {
	panelsPlain(s, dst, stride, rows, a, b, w, d, count)
}

func fromNormsAt(_ Level, s, cols []float64, row, kept float64) bool {
	return fromNormsPlain(s, cols, row, kept)
}
