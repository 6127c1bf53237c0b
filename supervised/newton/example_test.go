package newton_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

// Kernel logistic regression of four numbers on the line, with K = (xᵢxⱼ) and R = 1.
// The function is f(x) = wx with w = 2/(1+eʷ) + 4/(1+e²ʷ).
func ExampleMinimize() {
	x := []float64{-2, -1, 1, 2}
	k := mat.NewSymDense(4, nil)
	k.SymOuterK(1, mat.NewDense(4, 1, x))
	s := space.NewDual(k, linalg.Options{})
	rows := &newton.Rows{Loss: loss.Logistic{}, Y: []float64{-1, -1, 1, 1}}
	f, trace, err := newton.Minimize(context.Background(), s, 1, rows.Model(), space.Zero(s, 1, false), newton.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("converged: %v\n", trace.Converged)
	fmt.Printf("f(2) = %.4f\n", f.Values.At(3, 0))
	// Output:
	// converged: true
	// f(2) = 2.0132
}
