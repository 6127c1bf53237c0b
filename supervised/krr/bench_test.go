package krr_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
)

// BenchmarkSolve goes from the points to α: the Gram matrix is part of the work.
func BenchmarkSolve(b *testing.B) {
	const d = 20
	k, err := vec.Parse("rbf(gamma=0.025)")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1000, 2000} {
		rng, points := testkit.Rand(b, 31), data.MakeVectors(n, d)
		for i := range points.Raw() {
			points.Raw()[i] = rng.NormFloat64()
		}
		xs, y := points, mat.NewDense(n, 1, nil)
		for i := range n {
			y.Set(i, 0, math.Sin(points.At(i)[0])+0.1*rng.NormFloat64())
		}
		for _, solver := range []krr.Solver{krr.Cholesky, krr.Packed, krr.CG, krr.Eigen} {
			b.Run(fmt.Sprintf("%s/n=%d/d=%d", solver, n, d), func(b *testing.B) {
				for b.Loop() {
					_, _, err := solveGram(context.Background(), gram.Of(kernel.Bind(k, xs, xs), compute.Options{}), y, krr.Options{Ridge: 0.1, Solver: solver})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
