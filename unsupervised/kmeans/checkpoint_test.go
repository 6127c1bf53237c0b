package kmeans_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/unsupervised/kmeans"
)

// Clusters that are killed after any step, in the choice of centres, in an iteration or between
// starts, go on to the same bits: with bounds, with weights, and where clusters become empty.
func TestGoesOnWithinAStart(t *testing.T) {
	weights := make([]float64, 1300)
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
		{"bounds", 600, 60, 35, kmeans.Options{Restarts: 1, Seed: 2, Tolerance: -1}},
		{"weights", 1300, 4, 7, kmeans.Options{Restarts: 2, Weights: weights, Tolerance: -1}},
		{"empty", 700, 4, 5, kmeans.Options{Start: far}},
	} {
		x := heaps(t, 7, c.n, c.d, 6)
		for place, rows := range map[string]data.Rows{"memory": x, "passes": passtest.NewRows(x)} {
			var bits []float64
			path := filepath.Join(t.TempDir(), "c")
			fit := func(workers, after int, resume bool) (taken, known int, err error) {
				return checkpointtest.Run(t, path, after, resume, func(s *checkpointtest.Steps) error {
					c.o.Compute = compute.Options{Workers: workers, Checkpoint: s}
					found, r, err := kmeans.FitVectors(t.Context(), rows, c.k, c.o)
					if err == nil {
						bits = append(slices.Clone(found.Centres.Raw()), r.Objectives...)
						bits = append(bits, float64(r.Iterations), float64(r.Relocated))
						for _, j := range found.Labels {
							bits = append(bits, float64(j))
						}
					}
					return err
				})
			}
			steps, _, err := fit(1, checkpointtest.Never, false)
			if err != nil {
				t.Fatal(err)
			}
			want, all := bits, 0
			if steps < 4 {
				t.Errorf("%s: %d steps", c.name, steps)
			}
			for after := 0; after < steps; after += 1 + steps/25 {
				if _, _, err := fit(1, after, false); !errors.Is(err, checkpointtest.ErrKilled) {
					t.Fatalf("%s in %s, killed after step %d of %d: %v", c.name, place, after, steps, err)
				}
				_, known, err := fit(2, checkpointtest.Never, after > 0)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(bits, want) {
					t.Errorf("%s in %s, killed after step %d of %d it ends elsewhere", c.name, place, after, steps)
				}
				all += known
			}
			if all == 0 {
				t.Errorf("%s in %s: no step is known", c.name, place)
			}
		}
	}
}
