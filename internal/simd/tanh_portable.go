//go:build !amd64 || purego || noasm

package simd

func tanhAt(_ Level, dst, x []float64, scale float64) { tanhPlain(dst, x, scale) }
