package kmeans_test

import (
	"context"
	"fmt"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/unsupervised/kmeans"
)

// Ten iterations from the first rows, of points without clusters: the worst case of the
// bounds.
func BenchmarkVectors(b *testing.B) {
	for _, s := range []struct{ n, d, k int }{{8000, 100, 50}, {200000, 20, 20}} {
		b.Run(fmt.Sprintf("n=%d,d=%d,k=%d", s.n, s.d, s.k), func(b *testing.B) {
			x, rng, first := data.MakeVectors(s.n, s.d), testkit.Rand(b, 1), make([]int, s.k)
			for i := range x.Raw() {
				x.Raw()[i] = rng.NormFloat64()
			}
			for j := range first {
				first[j] = j
			}
			o := kmeans.Options{Start: x.Gather(first), Tolerance: -1, MaxIterations: 10}
			for b.Loop() {
				if _, _, err := kmeans.FitVectors(context.Background(), x, s.k, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
