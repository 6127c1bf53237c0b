package mkl_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/mkl"
)

// The target is a wave, which the narrow kernel sees, and the line and the broad
// kernel do not.
func ExampleWeigh() {
	xs, y := data.MakeVectors(60, 1), mat.NewDense(60, 1, nil)
	for i := range 60 {
		xs.At(i)[0] = float64(i) / 10
		y.Set(i, 0, math.Sin(4*xs.At(i)[0]))
	}
	k, err := vec.Parse("linear() + rbf(sigma=0.3) + rbf(sigma=10)")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, report, err := mkl.Weigh(context.Background(), k, xs, y, mkl.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("shares %.2f, alignment %.2f\n", report.Shares, report.Alignment)
	// Output:
	// shares [0.00 1.00 0.00], alignment 0.23
}
