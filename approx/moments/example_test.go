package moments_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// A quadratic through rows that come in two batches, without the first when the second comes;
// one row is taken out again.
func Example() {
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		panic(err)
	}
	rows := func(xs ...float64) moments.Rows[[]float64] {
		r := moments.Rows[[]float64]{Map: k.(kernel.Mapped[[]float64]), Targets: mat.NewDense(len(xs), 1, nil)}
		points := data.MakeVectors(len(xs), 1)
		for i, x := range xs {
			points.At(i)[0] = x
			r.Targets.Set(i, 0, 3*x*x-x+2)
		}
		r.Points = points
		return r
	}
	ctx, o := context.Background(), compute.Options{}
	sums, err := moments.Of(ctx, rows(-1, 0, 0.5, 1), o)
	if err != nil {
		panic(err)
	}
	more, err := moments.Like(ctx, sums, rows(0.2, 0.9), o)
	if err != nil {
		panic(err)
	}
	outlier, err := moments.Like(ctx, sums, rows(0.5), o)
	if err != nil {
		panic(err)
	}
	if sums, err = sums.Plus(more); err != nil {
		panic(err)
	}
	if sums, err = sums.Minus(outlier); err != nil {
		panic(err)
	}
	f, err := sums.Solve(ctx, 1e-9, true, o)
	if err != nil {
		panic(err)
	}
	phi := make([]float64, sums.Features)
	k.(kernel.Mapped[[]float64]).Map(phi, []float64{2})
	fmt.Printf("%d rows, f(2) = %.4f\n", sums.Rows, mat.Dot(mat.NewVecDense(len(phi), phi), f.W.ColView(0))+f.Bias[0])
	// Output: 5 rows, f(2) = 12.0000
}
