package rfm_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/rfm"
)

// The target is a function of the first of five columns.
func Example() {
	rng := rand.New(rand.NewPCG(1, 2))
	xs, y := data.MakeVectors(200, 5), mat.NewDense(200, 1, nil)
	for i := range 200 {
		for j := range 5 {
			xs.At(i)[j] = rng.NormFloat64()
		}
		y.Set(i, 0, math.Sin(2*xs.At(i)[0]))
	}
	k := vec.Laplace{Sigma: 3}
	slopes, err := vec.SlopeOf(k)
	if err != nil {
		panic(err)
	}
	_, r, err := rfm.Fit(context.Background(), k, gradients.Pairwise(slopes), xs, y, rfm.Options{Ridge: 1e-3})
	if err != nil {
		panic(err)
	}
	fmt.Printf("leave-one-out error %.2f, with the metric %.2f\n", r.Scores[0], r.Scores[r.Best])
	fmt.Printf("relevance %.2f\n", r.Relevance)
	// Output:
	// leave-one-out error 0.38, with the metric 0.03
	// relevance [1.00 0.00 0.00 0.00 0.00]
}
