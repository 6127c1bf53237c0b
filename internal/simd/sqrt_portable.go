//go:build !amd64 || purego || noasm

package simd

func sqrtAt(_ Level, dst, x []float64, scale float64) { sqrtPlain(dst, x, scale) }

func sqrt32At(_ Level, dst, x []float32, scale float32) { sqrt32Plain(dst, x, scale) }
