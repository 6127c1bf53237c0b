package kmeans_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/unsupervised/kmeans"
)

// heaps are rows around some centres, and some rows that are the same.
func heaps(t *testing.T, seed uint64, n, d, count int) data.Vectors {
	t.Helper()
	rng, x := testkit.Rand(t, seed), data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			x.At(i)[j] = 1e2 + 3*math.Sin(float64((i%count+1)*(j+1))) + rng.NormFloat64()
		}
		if i%97 == 5 {
			copy(x.At(i), x.At(5))
		}
	}
	return x
}

// Clusters of rows that are read in passes are those of rows in memory, to the bit: for any number
// of workers, of starts that go side by side, with weights, with bounds, and where
// clusters become empty.
func TestPassesHaveTheBitsOfMemory(t *testing.T) {
	weights := make([]float64, 3000)
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	far := heaps(t, 1, 5, 4, 5)
	far.At(1)[0], far.At(3)[2] = 1e6, -1e6
	for _, c := range []struct {
		name    string
		n, d, k int
		o       kmeans.Options
	}{
		{"starts", 3000, 4, 5, kmeans.Options{Restarts: 6, Seed: 1}},
		{"weights", 3000, 4, 7, kmeans.Options{Restarts: 3, Weights: weights, Tolerance: -1}},
		{"bounds", 1300, 60, 35, kmeans.Options{Restarts: 2, Seed: 2, Tolerance: -1}},
		{"empty", 700, 4, 5, kmeans.Options{Start: far}},
		{"few", 9, 2, 3, kmeans.Options{Restarts: 2}},
	} {
		x := heaps(t, 7, c.n, c.d, 6)
		want, r, err := kmeans.FitVectors(t.Context(), x, c.k, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if c.name == "bounds" && r.Pruned == 0 || c.name == "empty" && r.Relocated == 0 {
			t.Errorf("%s: pruned %v, relocated %d: this case tests nothing", c.name, r.Pruned, r.Relocated)
		}
		// A quarter of the limit is the state of two or three starts.
		some := int64(4 * c.n * 30)
		for _, o := range []compute.Options{{Workers: 1}, {Workers: 2, MaxMemory: some}, {Workers: 3}, {Workers: 8, MaxMemory: 1}} {
			c.o.Compute = o
			var rows data.Rows = passtest.NewRows(x)
			if o.Workers == 3 { // also for the starts of a driver that share passes
				rows, _ = passtest.Apart(x)
			}
			got, report, err := kmeans.FitVectors(t.Context(), rows, c.k, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Centres.Raw(), want.Centres.Raw()) || !slices.Equal(got.Labels, want.Labels) || !slices.Equal(report.Objectives, r.Objectives) ||
				report.Iterations != r.Iterations || report.Relocated != r.Relocated || report.Pruned != r.Pruned {
				t.Errorf("%s: %d workers, limit %d: clusters differ: objectives %v in %d iterations, want %v in %d", c.name, o.Workers, o.MaxMemory, report.Objectives, report.Iterations, r.Objectives, r.Iterations)
			}
		}
	}
}

// Starts that go side by side share their passes: ten of them read little more than the one with
// the most iterations.
func TestStartsSharePasses(t *testing.T) {
	x := heaps(t, 3, 2000, 4, 6)
	reads := func(starts int, limit int64) int64 {
		counted := passtest.NewRows(x)
		if _, _, err := kmeans.FitVectors(t.Context(), counted, 6, kmeans.Options{Restarts: starts, Compute: compute.Options{MaxMemory: limit}}); err != nil {
			t.Fatal(err)
		}
		return counted.Reads()
	}
	alone, together := reads(10, 1), reads(10, 0)
	if together*3 > alone {
		t.Errorf("ten starts read %d blocks together and %d one after another", together, alone)
	}
}

func TestPassesNameWhatIsNotFinite(t *testing.T) {
	x := heaps(t, 4, 900, 3, 2)
	x.At(611)[1] = math.NaN()
	_, _, err := kmeans.FitVectors(t.Context(), passtest.NewRows(x), 2, kmeans.Options{})
	if want := "kmeans: row 611, column 1 is NaN, not a finite number"; fmt.Sprint(err) != want {
		t.Errorf("%v, want %s", err, want)
	}
}
