package gp_test

import (
	"context"
	"fmt"
	"math"

	"mercer/data"
	"mercer/gp"
	"mercer/gram"
	"mercer/kernel/vec"
)

// A sine seen at a few points, and how sure the process is between and beyond them.
func ExampleFit() {
	xs, y := data.MakeVectors(8, 1), make([]float64, 8)
	for i := range y {
		xs.At(i)[0] = 0.8 * float64(i)
		y[i] = math.Sin(xs.At(i)[0])
	}
	ctx := context.Background()
	p, report, err := gp.Fit[[]float64](ctx, vec.RBF{Sigma: []float64{1}}, xs, y, gp.Options{Noise: 1e-4})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := p.Marginals(ctx, data.Slice[[]float64]{{2.0}, {9.0}}, gram.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("log evidence %.2f\n", report.LogEvidence)
	for i, x := range []float64{2, 9} {
		fmt.Printf("f(%g) = %.2f ± %.2f\n", x, m.Mean[i], 2*math.Sqrt(m.Variance[i]))
	}
	// Output:
	// log evidence -4.27
	// f(2) = 0.91 ± 0.05
	// f(9) = -0.08 ± 2.29
}
