package clustering_test

import (
	"context"
	"fmt"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/clustering"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
)

// Two and three clusters are compared by their silhouettes: the numbers lie about two places.
func ExampleKMeans() {
	column := data.Column{Name: "x", Numbers: []float64{1, 2, 3, 101, 102, 103}, Missing: make([]bool, 6)}
	table := &data.Table{Source: "numbers", Columns: []data.Column{column}}
	p, err := task.New(context.Background(), table, prep.Spec{NoTarget: true}, "linear")
	if err != nil {
		panic(err)
	}
	found, err := clustering.KMeans{Clusters: kmeans.Range{Least: 2, Most: 3}}.Fit(context.Background(), p)
	if err != nil {
		panic(err)
	}
	r := found.Report.(*kmeans.Report)
	sizes := slices.Clone(r.Sizes)
	slices.Sort(sizes)
	fmt.Println(sizes)
	// Output: [3 3]
}
