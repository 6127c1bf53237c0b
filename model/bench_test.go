package model_test

import (
	"context"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
)

// BenchmarkPredict asks for a few rows at a time, of an expansion and of one that is
// bound, as a server holds it.
func BenchmarkPredict(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		for _, d := range []int{8, 100} {
			k, err := vec.Parse(fmt.Sprintf("rbf(gamma=%g)", 0.5/float64(d)))
			if err != nil {
				b.Fatal(err)
			}
			rng := testkit.Rand(b, 41)
			f := &model.Expansion[[]float64]{Kernel: k, Points: normals(rng, n, d), Coef: mat.NewDense(n, 1, numbers(rng, n))}
			for _, rows := range []int{1, 100} {
				xs := normals(rng, rows, d)
				bound, err := f.Bind()
				if err != nil {
					b.Fatal(err)
				}
				for name, predictor := range map[string]model.Predictor[[]float64]{"free": f, "bound": bound} {
					b.Run(fmt.Sprintf("%s/rows=%d/n=%d/d=%d", name, rows, n, d), func(b *testing.B) {
						b.ReportAllocs()
						for b.Loop() {
							if _, err := predictor.Predict(context.Background(), xs, compute.Options{}); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}
