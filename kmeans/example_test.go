package kmeans_test

import (
	"context"
	"fmt"

	"mercer/data"
	"mercer/kmeans"
)

// Two groups on a line.
func ExampleFitVectors() {
	x, err := data.NewVectors(6, 1, []float64{1, 2, 3, 11, 12, 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	clusters, report, err := kmeans.FitVectors(context.Background(), x, 2, kmeans.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, j := range clusters.Labels {
		fmt.Printf("%g is nearest to %g\n", x.At(i)[0], clusters.Centres.At(j)[0])
	}
	fmt.Printf("inertia %g\n", report.Objective)
	// Output:
	// 1 is nearest to 2
	// 2 is nearest to 2
	// 3 is nearest to 2
	// 11 is nearest to 13
	// 12 is nearest to 13
	// 16 is nearest to 13
	// inertia 16
}
