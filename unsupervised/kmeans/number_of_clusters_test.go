package kmeans_test

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/unsupervised/kmeans"
)

// Rows are drawn without repetition, in their order, each as often as others: of 2000 draws of 30
// among 100 rows a row is in 600, up to five times the deviation √(2000·0.3·0.7).
func TestSilhouetteRows(t *testing.T) {
	counts := make([]int, 100)
	for seed := range 2000 {
		rows := kmeans.SilhouetteRows(100, 30, uint64(seed))
		if len(rows) != 30 || !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != 30 {
			t.Fatalf("seed %d: %v", seed, rows)
		}
		for _, row := range rows {
			counts[row]++
		}
	}
	for row, count := range counts {
		if math.Abs(float64(count)-600) > 5*math.Sqrt(2000*0.3*0.7) {
			t.Errorf("row %d is drawn %d times", row, count)
		}
	}
	if all := kmeans.SilhouetteRows(5, 9, 1); !slices.Equal(all, []int{0, 1, 2, 3, 4}) {
		t.Errorf("nine of five rows: %v", all)
	}
}

// The mean silhouette of some rows among themselves is near that of all: within five deviations of
// a mean of as many numbers.
func TestSilhouettesOfSomeRows(t *testing.T) {
	x := heaps(t, 5, 1500, 3, 4)
	c, _, err := kmeans.FitVectors(t.Context(), x, 4, kmeans.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, mean, err := kmeans.Silhouette(t.Context(), gram.Of(kernel.Bind(vec.Linear{}, x, x), compute.Options{}), c.Labels, nil, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	spread := 0.0
	for _, v := range all {
		spread += (v - mean) * (v - mean) / float64(len(all))
	}
	rows := kmeans.SilhouetteRows(1500, 400, 3)
	some, labels := x.Gather(rows), make([]int, len(rows))
	for i, row := range rows {
		labels[i] = c.Labels[row]
	}
	_, near, err := kmeans.Silhouette(t.Context(), gram.Of(kernel.Bind(vec.Linear{}, some, some), compute.Options{}), labels, nil, compute.Options{})
	if err != nil || math.Abs(near-mean) > 5*math.Sqrt(spread/400) {
		t.Errorf("the mean silhouette of 400 rows is %v, of all %v; %v", near, mean, err)
	}
}
