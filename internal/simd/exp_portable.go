//go:build !amd64 || purego || noasm

package simd

func expAt(_ Level, dst, x []float64, scale float64) { expPlain(dst, x, scale) }
