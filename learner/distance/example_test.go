package distance_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/learner/distance"
)

// The gradient of 2·exp(−x²/2) at x = 1 is −2·exp(−½).
func ExampleSlope() {
	k := vec.RBF{Sigma: 1}
	slope, err := distance.Slope(k)
	if err != nil {
		panic(err)
	}
	x, z := []float64{1}, data.MakeVectors(1, 1)
	g := [][]float64{{0}}
	slope(g, x, []float64{k.Eval(x, z.At(0))}, z, mat.NewDense(1, 1, []float64{2}))
	fmt.Printf("%.4f\n", g[0][0])
	// Output: -1.2131
}
