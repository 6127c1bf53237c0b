//go:build !amd64 || purego || noasm

package simd

func panelsAt[F Float](_ Level, s Statistic, dst []F, stride, rows int, a, b, w []F, d, count int) {
	panelsPlain(s, dst, stride, rows, a, b, w, d, count)
}

func fromNormsAt[F Float](_ Level, s, cols []F, row, kept F) bool {
	return fromNormsPlain(s, cols, row, kept)
}
