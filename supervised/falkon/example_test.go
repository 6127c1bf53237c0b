package falkon_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/falkon"
)

// Twenty landmarks for two thousand points of a sine.
func ExampleFit() {
	ctx, k := context.Background(), vec.RBF{Sigma: 1}
	xs, y := wave(2000)
	landmarks, _, err := nystrom.Landmarks(ctx, k, xs, nystrom.Options{Rank: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, report, err := falkon.Fit(ctx, k, xs, landmarks, y, falkon.Options{Lambda: 1e-7})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, err := f.Predict(ctx, data.Slice[[]float64]{{math.Pi / 2}, {4.1}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("f(π/2) = %.3f, f(4.1) = %.3f (sin 4.1 = %.3f); converged: %v\n", at.At(0, 0), at.At(1, 0), math.Sin(4.1), report.Converged)
	// Output:
	// f(π/2) = 1.000, f(4.1) = -0.818 (sin 4.1 = -0.818); converged: true
}

// The penalties of a path follow each other: each fit begins where the one before ended.
func ExamplePath() {
	ctx, k := context.Background(), vec.RBF{Sigma: 1}
	xs, y := wave(2000)
	landmarks, _, err := nystrom.Landmarks(ctx, k, xs, nystrom.Options{Rank: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	fitted, reports, err := falkon.Path(ctx, k, xs, landmarks, y, []float64{1, 1e-2, 1e-7}, falkon.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, f := range fitted {
		at, err := f.Predict(ctx, data.Slice[[]float64]{{math.Pi / 2}}, compute.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("λ = %g: f(π/2) = %.3f, converged: %v\n", reports[i].Lambda, at.At(0, 0), reports[i].Converged)
	}
	// Output:
	// λ = 1: f(π/2) = 0.284, converged: true
	// λ = 0.01: f(π/2) = 0.938, converged: true
	// λ = 1e-07: f(π/2) = 1.000, converged: true
}

// Four landmarks move to where the sine needs them.
func ExampleOptimizeLandmarks() {
	ctx, k := context.Background(), vec.RBF{Sigma: 1}
	xs, y := wave(500)
	slope, err := vec.SlopeOf(k)
	if err != nil {
		fmt.Println(err)
		return
	}
	start := data.Slice[[]float64]{{1}, {3}, {5}, {7}}
	moved, err := falkon.OptimizeLandmarks(ctx, k, gradients.Pairwise(slope), xs, start, y, falkon.Options{Lambda: 1e-7}, falkon.LandmarkOptions{Of: falkon.MoveLandmarks})
	if err != nil {
		fmt.Println(err)
		return
	}
	judged := moved.Report.Judged
	fmt.Printf("RMSE of rows left out: %.2f before, %.2f after\n", math.Sqrt(judged[0]), math.Sqrt(judged[moved.Report.Best]))
	// Output:
	// RMSE of rows left out: 0.24 before, 0.05 after
}

// wave returns n points of [0, 10] and their sines.
func wave(n int) (data.Vectors, *mat.Dense) {
	xs, y := data.MakeVectors(n, 1), mat.NewDense(n, 1, nil)
	for i := range n {
		x := 10 * float64(i) / float64(n)
		xs.At(i)[0] = x
		y.Set(i, 0, math.Sin(x))
	}
	return xs, y
}
