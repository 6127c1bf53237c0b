package mercer_test

import (
	"context"
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
)

// Learn a trend and a wave from seven points; the kernel is the sum of one for each.
func Example_points() {
	ctx := context.Background()
	xs := data.Slice[[]float64]{{0}, {1}, {2}, {3}, {4}, {5}, {6}}
	y := mat.NewDense(7, 1, []float64{0, 1.14, 1.51, 1.04, 0.44, 0.54, 1.52})
	k, err := vec.Parse("rbf(sigma=1) + 0.1*linear")
	if err != nil {
		log.Fatal(err) // names the column of the expression, and what was meant
	}
	f, report, err := krr.Fit(ctx, k, xs, y, krr.Options{Lambda: 1e-6, LOO: true})
	if err != nil {
		log.Fatal(err)
	}
	p, err := f.Predict(ctx, data.Slice[[]float64]{{1.5}, {4.5}}, compute.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("f(1.5) = %.2f, f(4.5) = %.2f, leave-one-out RMSE %.2f\n", p.At(0, 0), p.At(1, 0), report.Point.LOO.RMSE[0])
	// Output:
	// f(1.5) = 1.48, f(4.5) = 0.33, leave-one-out RMSE 0.43
}
