package kmeans_test

import (
	"context"
	"fmt"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/kernel/vec"
	"mercer/kmeans"
	"mercer/model"
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

// Two rings, which no mean of vectors can tell apart.
func ExampleSpectral() {
	x := rings(120)
	affinities := gram.Of(kernel.Bind[[]float64](vec.RBF{Sigma: []float64{0.3}}, x, x), gram.Options{})
	labels, report, err := kmeans.Spectral(context.Background(), affinities, 2, kmeans.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	mixed := 0
	for i := 2; i < len(labels); i++ {
		if labels[i] != labels[i%2] {
			mixed++
		}
	}
	fmt.Printf("sizes %v, %d rows on the wrong ring\n", report.Sizes, mixed)
	// Output: sizes [60 60], 0 rows on the wrong ring
}

// Clusters in the feature space of a Gaussian kernel, and where new points belong.
func ExampleFit() {
	x, err := data.NewVectors(6, 1, []float64{1, 2, 3, 11, 12, 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	f, _, report, err := kmeans.Fit[[]float64](ctx, vec.RBF{Sigma: []float64{5}}, x, 2, kmeans.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := f.Predict(ctx, data.Slice[[]float64]{{0}, {20}, {2.5}}, gram.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels := model.Largest(values)
	fmt.Println(report.Converged, labels[0] == labels[2], labels[0] == labels[1])
	// Output: true true false
}
