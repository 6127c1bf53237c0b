package manifold_test

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/unsupervised/manifold"
)

// A spiral, whose points Isomap puts in the order in which they follow one another.
func ExampleFit() {
	xs := data.MakeVectors(50, 2)
	for i := range 50 {
		angle := 2 * math.Sqrt(float64(i+4))
		xs.At(i)[0], xs.At(i)[1] = angle*math.Cos(angle), angle*math.Sin(angle)
	}
	ctx := context.Background()
	f, report, err := manifold.Fit(ctx, vec.Linear{}, xs, manifold.Options{Method: manifold.Isomap, Neighbours: 2, Components: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := f.Predict(ctx, data.Slice[[]float64]{xs.At(0), xs.At(25), xs.At(49)}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("explained %.3f, between the ends %.0f, and to the middle %.0f\n", report.Ratio[0], math.Abs(z.At(2, 0)-z.At(0, 0)), math.Abs(z.At(1, 0)-z.At(0, 0)))
	// Output: explained 1.000, between the ends 98, and to the middle 50
}
