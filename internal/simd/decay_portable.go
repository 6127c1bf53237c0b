//go:build !amd64 || purego || noasm

package simd

func decayAt(_ Level, dst, x []float32, rate float32) { exp32Plain(dst, x, -rate) }

func decayFromInnerAt(_ Level, dst, s, cols []float32, row, kept, rate float32) bool {
	return decayFromInnerPlain(dst, s, cols, row, kept, rate)
}
