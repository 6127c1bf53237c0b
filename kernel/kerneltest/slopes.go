package kerneltest

import (
	"math"
	"testing"

	"example.org/mercer/kernel"
)

// Moved returns k with parameter i moved by a step on the scale of the search: the logarithm of
// a positive parameter.
func Moved[T any](k kernel.Tunable[T], i int, step float64) (kernel.Kernel[T], error) {
	var values []float64
	for _, p := range k.Parameters() {
		values = append(values, p.Value)
	}
	if k.Parameters()[i].Positive {
		values[i] *= math.Exp(step)
	} else {
		values[i] += step
	}
	return k.With(values)
}

// Slopes returns the central differences of a function of kernels in each parameter of k, on the
// scale of the search. They are off by h²/6 of the third derivative, and by the rounding of f over
// h.
func Slopes[T any](t testing.TB, k kernel.Tunable[T], h float64, f func(kernel.Kernel[T]) float64) []float64 {
	t.Helper()
	out := make([]float64, len(k.Parameters()))
	at := func(i int, step float64) float64 {
		moved, err := Moved(k, i, step)
		if err != nil {
			t.Fatal(err)
		}
		return f(moved)
	}
	for i := range out {
		out[i] = (at(i, h) - at(i, -h)) / (2 * h)
	}
	return out
}
