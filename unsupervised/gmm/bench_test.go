package gmm_test

import (
	"context"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/unsupervised/gmm"
)

// Five iterations of 20 full covariances, of rows without groups: no assignment is
// negligible.
func BenchmarkFull(b *testing.B) {
	x, rng, weights := data.MakeVectors(40000, 20), testkit.Rand(b, 1), make([]float64, 20)
	for i := range x.Raw() {
		x.Raw()[i] = rng.NormFloat64()
	}
	for j := range weights {
		weights[j] = 0.05
	}
	o := gmm.Options{Start: begin(x, gmm.Full, weights), MaxIterations: 5, Tolerance: 1e-300}
	for b.Loop() {
		if _, _, err := gmm.Fit(context.Background(), x, 20, gmm.Full, o); err != nil {
			b.Fatal(err)
		}
	}
}
