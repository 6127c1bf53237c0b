package falkon_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/falkon"
	"mercer/gram"
	"mercer/kernel/vec"
	"mercer/nystrom"
)

// Twenty landmarks for two thousand points of a sine.
func ExampleFit() {
	ctx, k := context.Background(), vec.RBF{Sigma: []float64{1}}
	xs, y := data.MakeVectors(2000, 1), mat.NewDense(2000, 1, nil)
	for i := range 2000 {
		x := float64(i) / 200
		xs.At(i)[0] = x
		y.Set(i, 0, math.Sin(x))
	}
	landmarks, _, err := nystrom.Landmarks[[]float64](ctx, k, xs, nystrom.Options{Rank: 20})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, report, err := falkon.Fit[[]float64](ctx, k, xs, landmarks, y, falkon.Options{Lambda: 1e-7})
	if err != nil {
		fmt.Println(err)
		return
	}
	at, err := f.Predict(ctx, data.Slice[[]float64]{{math.Pi / 2}, {4.1}}, gram.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("f(π/2) = %.3f, f(4.1) = %.3f (sin 4.1 = %.3f); converged: %v\n", at.At(0, 0), at.At(1, 0), math.Sin(4.1), report.Converged)
	// Output:
	// f(π/2) = 1.000, f(4.1) = -0.818 (sin 4.1 = -0.818); converged: true
}
