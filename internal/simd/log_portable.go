//go:build !amd64 || purego || noasm

package simd

func logAt(_ Level, dst, x []float64, scale float64) { logPlain(dst, x, scale) }

func log1pAt(_ Level, dst, x []float64, scale float64) { log1pPlain(dst, x, scale) }
