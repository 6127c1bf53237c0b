//go:build !amd64 || purego || noasm

package simd

func decayAt(_ Level, dst, x []float32, rate float32) { exp32Plain(dst, x, -rate) }
