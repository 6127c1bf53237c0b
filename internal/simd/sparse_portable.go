//go:build !amd64 || purego || noasm

package simd

func sparseInnerAt[F Float](_ Level, out []F, index []int32, value []F, b []F, d int) {
	sparseInnerPlain(out, index, value, b, d)
}
