package kmeans_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/unsupervised/kmeans"
)

// The same start leads to the centres of scikit-learn, with weights, without a tolerance,
// and where clusters become empty. The field "origin" says how the numbers were made.
func TestVectorsAgreeWithScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Name           string
			Start, Centres [][]float64
			Weights        []float64
			Tolerance      float64
			Labels         []int
			Inertia        float64
			Iterations     int
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 4 {
		t.Fatalf("%d cases, want 4", len(file.Cases))
	}
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			k := len(c.Start)
			start, err := data.NewVectors(k, 4, slices.Concat(c.Start...))
			if err != nil {
				t.Fatal(err)
			}
			o := kmeans.Options{Start: start, Weights: c.Weights, Tolerance: c.Tolerance}
			if c.Tolerance == 0 {
				o.Tolerance = -1
			}
			got, report, err := kmeans.FitVectors(context.Background(), waves(300, 4), k, o)
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "centres", got.Centres.Raw(), slices.Concat(c.Centres...), 1e-10)
			testkit.Close(t, "inertia", report.Objective, c.Inertia, 1e-9)
			if !slices.Equal(got.Labels, c.Labels) {
				t.Error("the labels differ")
			}
			if report.Iterations != c.Iterations {
				t.Errorf("%d iterations, want %d", report.Iterations, c.Iterations)
			}
			if c.Name == "twins" && report.Relocated != 2 {
				t.Errorf("%d clusters were relocated, want 2", report.Relocated)
			}
		})
	}
}

// Single precision and bounds save distances and change nothing: from the same start the
// slow obvious iteration comes to the same labels. The last seeds have enough centres for
// bounds.
func TestVectorsAreThePlainIteration(t *testing.T) {
	for seed := range uint64(22) {
		rng := testkit.Rand(t, seed)
		n, d, k := 200+rng.IntN(600), 1+rng.IntN(8), 2+rng.IntN(40)
		bounds := seed >= 20
		if bounds {
			n, d, k = 1500, 32, 70
		}
		x := data.MakeVectors(n, d)
		for i := range x.Raw() {
			x.Raw()[i] = rng.NormFloat64() + 1e3
			if bounds {
				x.Raw()[i] += 2 * math.Sin(float64((i/d%50+1)*(i%d+1))) // fifty groups
			}
		}
		index := make([]int, k)
		for j := range index {
			index[j] = j
		}
		start := x.Gather(index)
		got, report, err := kmeans.FitVectors(context.Background(), x, k, kmeans.Options{Start: start, Tolerance: -1, MaxIterations: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if report.Relocated > 0 {
			continue
		}
		if want := plain(x, start); !slices.Equal(got.Labels, want) {
			t.Errorf("seed %d: n = %d, d = %d, k = %d: labels differ from those of the plain iteration", seed, n, d, k)
		}
		if bounds != (report.Pruned > 0.2) {
			t.Errorf("seed %d: n = %d, d = %d, k = %d: the bounds pruned %.2f", seed, n, d, k, report.Pruned)
		}
	}
}

// plain is Lloyd's iteration as the lectures write it.
func plain(x, start data.Vectors) []int {
	k, labels := start.Len(), make([]int, x.Len())
	centres := data.MakeVectors(k, x.Dim())
	copy(centres.Raw(), start.Raw())
	for {
		changed := false
		for i := range labels {
			best, least := 0, math.Inf(1)
			for j := range k {
				sum := 0.0
				for c, v := range x.At(i) {
					sum += (v - centres.At(j)[c]) * (v - centres.At(j)[c])
				}
				if sum < least {
					best, least = j, sum
				}
			}
			changed = changed || labels[i] != best
			labels[i] = best
		}
		if !changed {
			return labels
		}
		count := make([]float64, k)
		clear(centres.Raw())
		for i, j := range labels {
			count[j]++
			for c, v := range x.At(i) {
				centres.At(j)[c] += v
			}
		}
		for j := range k {
			for c := range centres.At(j) {
				centres.At(j)[c] /= count[j]
			}
		}
	}
}

// A weight of 2 is the row twice.
func TestVectorWeights(t *testing.T) {
	x, w, index := waves(120, 3), make([]float64, 120), []int{}
	for i := range w {
		w[i] = float64(1 + i%2)
		for range 1 + i%2 {
			index = append(index, i)
		}
	}
	start := x.Gather([]int{0, 1, 2, 3})
	a, ra, err := kmeans.FitVectors(context.Background(), x, 4, kmeans.Options{Start: start, Weights: w, Tolerance: -1})
	if err != nil {
		t.Fatal(err)
	}
	b, rb, err := kmeans.FitVectors(context.Background(), x.Gather(index), 4, kmeans.Options{Start: start, Tolerance: -1})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "centres", a.Centres.Raw(), b.Centres.Raw(), 1e-12)
	testkit.Close(t, "inertia", ra.Objective, rb.Objective, 1e-12)
	testkit.CloseSlice(t, "masses", ra.Masses, rb.Masses, 0)
}

func TestVectorsSameBitsForAnyWorkers(t *testing.T) {
	for _, size := range []struct{ n, d, k int }{{3000, 5, 7}, {1000, 30, 70}} {
		x := waves(size.n, size.d)
		var first []float64
		for _, workers := range []int{1, 2, 3, 8} {
			c, r, err := kmeans.FitVectors(context.Background(), x, size.k, kmeans.Options{Seed: 3, Restarts: 3, Compute: compute.Options{Workers: workers}})
			if err != nil {
				t.Fatal(err)
			}
			bits := append(slices.Clone(c.Centres.Raw()), r.Objectives...)
			bits = append(bits, r.Pruned)
			if first == nil {
				first = bits
			}
			if !slices.Equal(bits, first) {
				t.Errorf("d = %d: %d workers give other bits", size.d, workers)
			}
		}
	}
}

// New rows get the nearest centre, the first of several, and their squared distances.
func TestAssignByDefinition(t *testing.T) {
	x, c := waves(300, 4), &kmeans.Clusters{Centres: waves(20, 4)}
	copy(c.Centres.At(9), c.Centres.At(3))
	labels, squared, err := c.Assign(context.Background(), x, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.Len() {
		best, least := 0, math.Inf(1)
		for j := range c.Centres.Len() {
			sum := 0.0
			for p, v := range x.At(i) {
				sum += (v - c.Centres.At(j)[p]) * (v - c.Centres.At(j)[p])
			}
			if sum < least {
				best, least = j, sum
			}
		}
		if labels[i] != best || squared[i] != least {
			t.Errorf("row %d: centre %d at %v, want %d at %v", i, labels[i], squared[i], best, least)
		}
	}
	for _, wrong := range []*kmeans.Clusters{{}, {Centres: waves(2, 3)}} {
		if _, _, err := wrong.Assign(context.Background(), x, 2); err == nil {
			t.Errorf("%d centres of %d columns are no error", wrong.Centres.Len(), wrong.Centres.Dim())
		}
	}
}

// Five groups far apart are found from any seed, and every row is assigned to its group.
func TestPlusPlusFindsSeparateGroups(t *testing.T) {
	x := data.MakeVectors(100, 2)
	truth := make([]int, 100)
	for i := range truth {
		truth[i] = i % 5
		x.At(i)[0], x.At(i)[1] = 100*float64(i%5)+math.Sin(float64(i)), math.Cos(float64(3*i))
	}
	for seed := range uint64(10) {
		c, _, err := kmeans.FitVectors(context.Background(), x, 5, kmeans.Options{Seed: seed, Restarts: 1})
		if err != nil {
			t.Fatal(err)
		}
		if !samePartition(c.Labels, truth) {
			t.Errorf("seed %d: the groups were not found", seed)
		}
		labels, squared, err := c.Assign(context.Background(), x, 2)
		if err != nil || !slices.Equal(labels, c.Labels) || slices.Max(squared) > 5 {
			t.Errorf("seed %d: Assign differs: %v", seed, err)
		}
	}
}

// Equal rows, constant columns: a result, and a warning where clusters stay empty.
func TestDegenerateRows(t *testing.T) {
	x := data.MakeVectors(6, 2)
	for i := range 6 {
		x.At(i)[0] = float64(i % 2)
		x.At(i)[1] = 5
	}
	_, r, err := kmeans.FitVectors(context.Background(), x, 3, kmeans.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Empty != 1 || len(r.Warnings) != 1 || r.Objective > 1e-20 {
		t.Errorf("empty %d, warnings %q, objective %v; want 1, one, 0", r.Empty, r.Warnings, r.Objective)
	}
}

func TestVectorErrors(t *testing.T) {
	nan := waves(10, 2)
	nan.At(4)[1] = math.NaN()
	large := waves(10, 2)
	large.At(3)[0] = 1e200
	for _, c := range []struct {
		x    data.Vectors
		k    int
		o    kmeans.Options
		want string
	}{
		{waves(3, 2), 4, kmeans.Options{}, "4 clusters for 3 rows"},
		{waves(3, 2), 0, kmeans.Options{}, "at least one"},
		{waves(1, 2), 1, kmeans.Options{}, "at least two rows"},
		{data.Vectors{}, 1, kmeans.Options{}, "at least two rows"},
		{data.MakeVectors(4, 0), 2, kmeans.Options{}, "no columns"},
		{nan, 2, kmeans.Options{}, "row 4, column 1 is NaN"},
		{large, 2, kmeans.Options{}, "squares"},
		{waves(3, 2), 2, kmeans.Options{Weights: []float64{1}}, "1 weights for 3 rows"},
		{waves(3, 2), 2, kmeans.Options{Weights: []float64{1, 0, -1}}, "weight 2 = -1"},
		{waves(3, 2), 2, kmeans.Options{Weights: []float64{1, 0, 0}}, "for 1 rows of positive weight"},
		{waves(3, 2), 2, kmeans.Options{Start: waves(3, 2)}, "the start has 3 centres"},
		{waves(3, 2), 2, kmeans.Options{Restarts: -1}, "neither may be negative"},
		{waves(3, 2), 2, kmeans.Options{Tolerance: math.NaN()}, "tolerance"},
		{waves(3, 2), 2, kmeans.Options{StartLabels: []int{0, 1, 0}}, "not from labels"},
	} {
		_, _, err := kmeans.FitVectors(context.Background(), c.x, c.k, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v does not say %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := kmeans.FitVectors(ctx, waves(100, 2), 2, kmeans.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
}
