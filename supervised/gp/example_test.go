package gp_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/space"
	"example.org/mercer/supervised/gp"
)

// A sine seen at a few points, and how sure the process is between and beyond them.
func ExampleFit() {
	xs, y := data.MakeVectors(8, 1), make([]float64, 8)
	for i := range y {
		xs.At(i)[0] = 0.8 * float64(i)
		y[i] = math.Sin(xs.At(i)[0])
	}
	ctx := context.Background()
	p, report, err := gp.Fit(ctx, vec.RBF{Sigma: 1}, xs, y, gp.Options{Noise: 1e-4})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := p.Marginals(ctx, data.Slice[[]float64]{{2.0}, {9.0}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log evidence %.2f\n", report.LogEvidence)
	for i, x := range []float64{2, 9} {
		fmt.Printf("f(%g) = %.2f ± %.2f\n", x, m.Mean[i], 2*math.Sqrt(m.Variance[i]))
	}
	// Output:
	// log evidence -4.27
	// f(2) = 0.91 ± 0.05
	// f(9) = -0.08 ± 2.29
}

// By products with the Gram matrix: the evidence comes with its error, variances with bounds, and a
// cache of low rank replaces the solves of later predictions.
func ExampleByCG_Cache() {
	xs, y := data.MakeVectors(200, 1), make([]float64, 200)
	for i := range y {
		xs.At(i)[0] = 0.05 * float64(i)
		y[i] = math.Sin(xs.At(i)[0]) + 0.1*math.Cos(float64(i*i))
	}
	ctx := context.Background()
	p, report, err := gp.Fit(ctx, vec.RBF{Sigma: 1}, xs, y, gp.Options{Noise: 0.01, Solver: gp.CG})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log evidence %.0f, within 1: %v\n", report.LogEvidence, *report.CG.Most-*report.CG.Least < 1)
	exact, err := p.Marginals(ctx, data.Slice[[]float64]{{2.0}, {12}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	cache, quality, err := p.Posterior.PosteriorCovariance.(*gp.ByCG).Cache(ctx, gp.CacheOptions{Rank: 25})
	if err != nil {
		fmt.Println(err)
		return
	}
	p.Posterior.PosteriorCovariance = cache
	cached, err := p.Marginals(ctx, data.Slice[[]float64]{{2.0}, {12}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("rank %d, wider by less than a thousandth: %v\n", quality.Rank, quality.Widest < 1e-3)
	for i, x := range []float64{2, 12} {
		fmt.Printf("f(%g) = %.2f ± %.3f, by the cache %.3f\n", x, exact.Mean[i], math.Sqrt(exact.Variance[i]), math.Sqrt(cached.Variance[i]))
	}
	// Output:
	// log evidence 185, within 1: true
	// rank 17, wider by less than a thousandth: true
	// f(2) = 0.93 ± 0.026, by the cache 0.026
	// f(12) = -0.32 ± 1.036, by the cache 1.037
}

// Two hundred rows of two columns: in the features of the linear kernel the posterior is one of
// two weights.
func ExampleSolveClasses_features() {
	const n = 200
	xs, y := data.MakeVectors(n, 2), make([]int, n)
	for i := range y {
		xs.At(i)[0], xs.At(i)[1] = math.Sin(float64(3*i)), math.Cos(float64(5*i))
		if xs.At(i)[0]+0.5*math.Sin(float64(11*i)) > 0 {
			y[i] = 1
		}
	}
	ctx := context.Background()
	phi, _ := design.Of(vec.Linear{}, xs)
	features, err := space.NewPrimal(ctx, phi, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	weights, report, err := gp.SolveClasses(ctx, features, y, gp.ClassOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := mat.NewDense(1, 2, []float64{0.5, 0})
	mean := new(mat.Dense)
	mean.Mul(x, weights.Coef)
	p, err := weights.Probabilities(ctx, mean, make([]float64, 1), x, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log evidence %.1f, P(1|x) = %.2f\n", report.LogEvidence, p.At(0, 1))
	// Output:
	// log evidence -49.7, P(1|x) = 0.89
}
