package mercer_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
)

// Learn sin(x) from forty points, with a trend that the kernel adds up.
func Example() {
	ctx := context.Background()
	xs, y := data.MakeVectors(40, 1), mat.NewDense(40, 1, nil)
	for i := range 40 {
		x := float64(i) / 4
		xs.At(i)[0] = x
		y.Set(i, 0, math.Sin(x)+0.3*x)
	}
	k, err := vec.Parse("rbf(sigma=1) + 0.1*linear")
	if err != nil {
		panic(err) // says which column of the expression, and what was meant
	}
	f, report, err := krr.Fit(ctx, k, xs, y, krr.Options{Lambda: 1e-6, LOO: true})
	if err != nil {
		panic(err)
	}
	p, err := f.Predict(ctx, data.Slice[[]float64]{{1.6}, {5.1}}, compute.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Printf("f(1.6) = %.3f, f(5.1) = %.3f\n", p.At(0, 0), p.At(1, 0))
	fmt.Printf("solver %s, leave-one-out RMSE %.4f\n", report.Solver, report.Point.LOO.RMSE[0])
	// Output:
	// f(1.6) = 1.480, f(5.1) = 0.604
	// solver packed, leave-one-out RMSE 0.0033
}
