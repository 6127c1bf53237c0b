package distance_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner/distance"
	"example.org/mercer/model"
)

// The gradient of 2·exp(−x²/2) at x = 1 is −2·exp(−½).
func ExampleSlope() {
	k := vec.RBF{Sigma: 1}
	slope, err := distance.Slope(k)
	if err != nil {
		panic(err)
	}
	f := &model.Expansion[[]float64]{Kernel: k, Points: data.MakeVectors(1, 1), Coef: mat.NewDense(1, 1, []float64{2})}
	x, g := data.MakeVectors(1, 1), mat.NewDense(1, 1, nil)
	x.Raw()[0] = 1
	slope.Of(f, x)(g, 0)
	fmt.Printf("%.4f\n", g.At(0, 0))
	// Output: -1.2131
}
