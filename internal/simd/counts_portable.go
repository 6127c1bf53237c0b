//go:build !amd64 || purego || noasm

package simd

func hasCounts(Level) bool { return false }

func countProfileAt[F Float](_ Level, dst []F, stride, rows int, a, b []float64, size, count int, table *[Counts]F) {
	countProfilePlain(dst, stride, rows, a, b, size, count, table)
}
