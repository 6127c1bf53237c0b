//go:build !amd64 || purego || noasm

package simd

func squaredMixedAt[F Float](_ Level, dst []F, stride, rows int, a, b []F, numbers, categories, count int) {
	squaredMixedPlain(dst, stride, rows, a, b, numbers, categories, count)
}
