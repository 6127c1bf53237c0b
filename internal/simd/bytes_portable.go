//go:build !amd64 || purego || noasm

package simd

func hasBytes(Level) bool { return false }

func innerBytesAt(_ Level, dst []float64, stride, rows int, a, b []uint64, index []int32, size, count int) {
	innerBytesPlain(dst, stride, rows, a, b, index, size, count)
}
