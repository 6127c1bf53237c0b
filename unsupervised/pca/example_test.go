package pca_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/unsupervised/pca"
)

// Points near a line in the plane: one component explains nearly all.
func ExampleFit() {
	xs, err := data.NewVectors(5, 2, []float64{0, 0.1, 1, 0.9, 2, 2.1, 3, 2.9, 4, 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	m, report, err := pca.Fit(context.Background(), xs, pca.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := m.Transform(xs)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("explained %.3f\n", report.Ratio)
	fmt.Printf("direction (%.2f, %.2f)\n", m.Components.At(0, 0), m.Components.At(0, 1))
	fmt.Printf("scores from %.2f to %.2f\n", z.At(0, 0), z.At(4, 0))
	// Output:
	// explained [0.999 0.001]
	// direction (0.71, 0.70)
	// scores from -2.76 to 2.83
}
