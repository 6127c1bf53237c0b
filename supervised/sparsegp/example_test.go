package sparsegp_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/sparsegp"
)

// A sine seen at a hundred points, through twelve of them: the bound, how far the exact log
// evidence can be above it, and how sure the process is between the points and beyond.
func ExampleFit() {
	xs, y := data.MakeVectors(100, 1), mat.NewDense(100, 1, nil)
	for i := range xs.Len() {
		xs.At(i)[0] = 0.06 * float64(i)
		y.Set(i, 0, math.Sin(xs.At(i)[0])+0.1*math.Cos(37*float64(i)))
	}
	at := xs.Gather([]int{0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 90, 99})
	ctx := context.Background()
	p, report, err := sparsegp.Fit(ctx, vec.RBF{Sigma: 1}, xs, at, y, sparsegp.Options{Noise: 0.005})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := p.Target(0).Marginals(ctx, data.Slice[[]float64]{{2.0}, {9.0}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log evidence at least %.2f, at most %.2f more\n", report.LogEvidence[0], report.Gap(0))
	for i, x := range []float64{2, 9} {
		fmt.Printf("f(%g) = %.2f ± %.2f\n", x, m.Mean[i], 2*math.Sqrt(m.Variance[i]))
	}
	// Output:
	// log evidence at least 93.45, at most 2.99 more
	// f(2) = 0.91 ± 0.04
	// f(9) = 0.15 ± 2.26
}
