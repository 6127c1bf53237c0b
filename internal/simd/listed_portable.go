//go:build !amd64 || purego || noasm

package simd

func innerListedAt[F Float](_ Level, dst []F, stride, rows int, a, b []F, index []int32, d, count int) {
	innerListedPlain(dst, stride, rows, a, b, index, d, count)
}
