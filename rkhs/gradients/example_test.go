package gradients_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
)

// The slope of exp(−x²/2), a function over one point, at x = 1.
func Example() {
	k := vec.RBF{Sigma: 1}
	origin, _ := data.NewVectors(1, 1, []float64{0})
	at, _ := data.NewVectors(1, 1, []float64{1})
	form, _ := vec.RadialSlope(k)
	f := &model.Expansion[[]float64]{Kernel: k, Points: origin, Coef: mat.NewDense(1, 1, []float64{1})}
	all, err := gradients.All(context.Background(), f, gradients.Radial(form), at, 1)
	fmt.Printf("%.4f %v\n", all[0].At(0, 0), err)
	// Output: -0.6065 <nil>
}
