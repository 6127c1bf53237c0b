//go:build !amd64 || purego || noasm

package simd

func sincosAt(_ Level, sin, cos, x []float64, amplitude float64) {
	sincosPlain(sin, cos, x, amplitude)
}
