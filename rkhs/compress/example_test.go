package compress_test

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/compress"
	"example.org/mercer/supervised/krr"
)

// A ridge regression stands on all 200 rows; a handful says the same.
func ExampleCompress() {
	xs, y := data.MakeVectors(200, 1), mat.NewDense(200, 1, nil)
	for i := range 200 {
		x := float64(i) / 20
		xs.At(i)[0] = x
		y.Set(i, 0, math.Sin(x))
	}
	ctx := context.Background()
	f, _, err := krr.Fit(ctx, vec.RBF{Sigma: 1}, xs, y, krr.Options{Lambda: 1e-6})
	if err != nil {
		panic(err)
	}
	g, report, err := compress.Compress(ctx, f.(*model.Expansion[[]float64]), compress.Options{Tolerance: 1e-3})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d of %d points, relative distance below 0.001: %v\n", g.Points.Len(), report.N, report.Distance[0] <= 1e-3)
	// Output: 25 of 200 points, relative distance below 0.001: true
}
