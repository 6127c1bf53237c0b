package kmeans_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/kmeans"
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
	affinities := gram.Of(kernel.Bind(vec.RBF{Sigma: 0.3}, x, x), compute.Options{})
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

// The graph of four rows whose affinities are the inner products of two features: the matrix of the
// rows is never made, and a new row is labelled by its features.
func ExampleFeatures() {
	phi, err := data.NewVectors(4, 2, []float64{1, 0, 1, 0.1, 0.1, 1, 0, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	cut, report, err := kmeans.SolveCut(context.Background(), kmeans.Features{Rows: phi}, kmeans.Range{Least: 2, Most: 2}, kmeans.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("clusters %v, normalised cut %.3f\n", cut.Labels, report.Cut)
	var values mat.Dense
	values.Mul(mat.NewDense(1, 2, []float64{0.2, 0.9}), cut.Coef())
	fmt.Println("a new row is in cluster", model.Largest(&values)[0])
	// Output:
	// clusters [0 0 1 1], normalised cut 0.181
	// a new row is in cluster 1
}

// Clusters in the feature space of a Gaussian kernel, and where new points belong.
func ExampleFit() {
	x, err := data.NewVectors(6, 1, []float64{1, 2, 3, 11, 12, 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	f, report, err := kmeans.Fit(ctx, vec.RBF{Sigma: 5}, x, 2, kmeans.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	values, err := f.Predict(ctx, data.Slice[[]float64]{{0}, {20}, {2.5}}, compute.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels := model.Largest(values)
	fmt.Println(report.Converged, labels[0] == labels[2], labels[0] == labels[1])
	// Output: true true false
}
