package krr_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
)

// sine is 40 points of a sine.
func sine() (data.Vectors, *mat.Dense) {
	xs, y := data.MakeVectors(40, 1), mat.NewDense(40, 1, nil)
	for i := range 40 {
		x := float64(i) / 4
		xs.At(i)[0] = x
		y.Set(i, 0, math.Sin(x))
	}
	return xs, y
}

func ExampleFit() {
	xs, y := sine()
	k := vec.RBF{Sigma: 1}
	f, report, err := krr.Fit(context.Background(), k, xs, y, krr.Options{Lambda: 1e-6})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, err := f.Predict(context.Background(), data.Slice[[]float64]{{math.Pi / 2}, {4.1}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, ridge %.0e: f(π/2) = %.3f, f(4.1) = %.3f (sin 4.1 = %.3f)\n", report.Solver, report.Ridge, at.At(0, 0), at.At(1, 0), math.Sin(4.1))
	// Output:
	// packed, ridge 4e-05: f(π/2) = 1.000, f(4.1) = -0.818 (sin 4.1 = -0.818)
}

// Conjugate gradients never store the matrix. What they return is certified: the residual is
// computed from scratch.
func ExampleFit_conjugateGradients() {
	xs, y := sine()
	k := vec.RBF{Sigma: 1}
	f, report, err := krr.Fit(context.Background(), k, xs, y, krr.Options{Lambda: 1e-6, Solver: krr.CG, Tolerance: 1e-8})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, err := f.Predict(context.Background(), data.Slice[[]float64]{{4.1}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("f(4.1) = %.3f, residual below 1e-8: %v\n", at.At(0, 0), report.Residual <= 1e-8)
	// Output:
	// f(4.1) = -0.818, residual below 1e-8: true
}

// One decomposition gives the exact leave-one-out error for every λ.
func ExampleNewPath() {
	xs, y := sine()
	k := gram.Of(kernel.Bind(vec.RBF{Sigma: 1}, xs, xs), compute.Options{})
	in, err := space.DualOf(context.Background(), k, space.Options{Unsolved: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	path, err := krr.NewPath(context.Background(), in, y, krr.PathOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, lambda := range []float64{1, 1e-2, 1e-4} {
		p, err := path.At(context.Background(), lambda)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("λ = %g: leave-one-out RMSE %.4f, %.1f degrees of freedom\n", lambda, p.LOO.RMSE[0], p.DOF)
	}
	// Output:
	// λ = 1: leave-one-out RMSE 0.5996, 1.7 degrees of freedom
	// λ = 0.01: leave-one-out RMSE 0.0850, 8.3 degrees of freedom
	// λ = 0.0001: leave-one-out RMSE 0.0137, 14.0 degrees of freedom
}

func ExampleNewIntervals() {
	xs, y := sine()
	for i := range 40 { // deterministic "noise"
		y.Set(i, 0, y.At(i, 0)+0.1*math.Cos(float64(i*i)))
	}
	ctx, k := context.Background(), vec.RBF{Sigma: 1}
	train := gram.Of(kernel.Bind(k, xs, xs), compute.Options{})
	in, err := space.DualOf(ctx, train, space.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	sol, report, err := krr.Solve(ctx, in, y, krr.Options{Lambda: 1e-3, LOO: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	intervals, err := krr.NewIntervals(ctx, train, krr.Fitted{Solution: sol, LOOResiduals: report.Point.LOOResiduals, Ridge: report.Ridge}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var cross mat.Dense
	if err := gram.Rect(ctx, &cross, kernel.Bind(k, data.Slice[[]float64]{{1}}, xs), compute.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	lo, hi, err := intervals.Predict(ctx, &cross, 0.9, krr.JackknifePlus)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("y(1) is between %.2f and %.2f, sin 1 = %.2f\n", lo.At(0, 0), hi.At(0, 0), math.Sin(1))
	// Output:
	// y(1) is between 0.66 and 0.91, sin 1 = 0.84
}
