//go:build !amd64 || purego || noasm

package simd

func nearestAt(_ Level, c *Centres, to *Near, x []float64) { nearestPlain(c, to, x) }

func whitenedNormsAt(_ Level, w *Whitenings, dst, x []float64, stride int) {
	whitenedNormsPlain(w, dst, x, stride)
}
