//go:build !amd64 || purego || noasm

package simd

func whitenedNormsAt(_ Level, w *Whitenings, dst, x []float64, stride int) {
	whitenedNormsPlain(w, dst, x, stride)
}
