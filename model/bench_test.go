package model_test

import (
	"context"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/internal/testkit"
	"mercer/kernel/vec"
	"mercer/model"
)

// BenchmarkPredict asks for a few rows at a time, as a server does.
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
				xs := data.Set[[]float64](normals(rng, rows, d))
				b.Run(fmt.Sprintf("rows=%d/n=%d/d=%d", rows, n, d), func(b *testing.B) {
					for b.Loop() {
						if _, err := f.Predict(context.Background(), xs, gram.Options{}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
