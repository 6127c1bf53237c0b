//go:build !amd64 || purego || noasm

package simd

func expAt(_ Level, dst, x []float64, scale float64) { expPlain(dst, x, scale) }

func exp32At(_ Level, dst, x []float32, scale float32) { exp32Plain(dst, x, scale) }
