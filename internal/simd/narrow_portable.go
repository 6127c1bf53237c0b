//go:build !amd64 || purego || noasm

package simd

func narrowAt(_ Level, dst []float32, x []float64) { narrowPlain(dst, x) }
