package kpca_test

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/pass"
	"example.org/mercer/unsupervised/kpca"
)

// Two rings: no straight line separates them. The first two components of a Gaussian
// kernel are the two directions of the plane, bent; the third is the distance from the
// centre, for new points, too.
func ExampleFit() {
	xs := data.MakeVectors(80, 2)
	for i := range 80 {
		radius, angle := 1+2*float64(i%2), float64(i)
		xs.At(i)[0], xs.At(i)[1] = radius*math.Cos(angle), radius*math.Sin(angle)
	}
	ctx := context.Background()
	e, report, err := kpca.Fit(ctx, vec.RBF{Sigma: 2}, xs, kpca.Options{Components: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := e.Predict(ctx, data.Slice[[]float64]{{0.9, 0}, {0, -1.1}, {-3.1, 0}, {2, 2}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("explained %.2f\n", report.Ratio)
	fmt.Printf("inner ring %+.1f %+.1f, outer ring %+.1f %+.1f\n", z.At(0, 2), z.At(1, 2), z.At(2, 2), z.At(3, 2))
	// Output:
	// explained [0.26 0.25 0.19]
	// inner ring -0.3 -0.3, outer ring +0.3 +0.3
}

// The same rings in explicit features, all products of two coordinates and of one: rows that are
// made in every pass, so that they may be in a file. The squares tell the rings apart.
func ExampleFeatures() {
	xs := data.MakeVectors(80, 2)
	for i := range 80 {
		radius, angle := 1+2*float64(i%2), float64(i)
		xs.At(i)[0], xs.At(i)[1] = radius*math.Cos(angle), radius*math.Sin(angle)
	}
	k := vec.Poly{Degree: 2, Offset: 1, Scale: 1}
	dim, _ := k.Features(xs.At(0))
	phi := pass.Map(xs, dim, func(dst data.Vectors, of data.Set[[]float64]) {
		for i := range dst.Len() {
			k.Map(dst.At(i), of.At(i))
		}
	})
	_, report, err := kpca.Solve(context.Background(), kpca.Features{Rows: phi}, kpca.Options{Components: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d features, explained %.2f\n", dim, report.Ratio)
	// Output:
	// 6 features, explained [0.27 0.27 0.21]
}
