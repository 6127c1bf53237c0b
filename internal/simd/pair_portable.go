//go:build !amd64 || purego || noasm

package simd

func advanceAt(_ Level, g, rise []float64, ki, kj []float32, step float64) (at int, least float64) {
	return advancePlain(g, rise, ki, kj, step)
}

func partnerAt(_ Level, k []float32, g, fall, diag []float64, gi, kii, floor float64) Partner {
	return partnerPlain(k, g, fall, diag, gi, kii, floor)
}
