package simd

// Narrow stores x[i], rounded to float32, in dst[i] for every i < len(x). dst may not be
// shorter.
func Narrow(dst []float32, x []float64) { narrowAt(Best(), dst[:len(x)], x) }

func narrowPlain(dst []float32, x []float64) {
	for i, v := range x {
		dst[i] = float32(v)
	}
}
