package mkl_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/mkl"
)

// Weights that are killed while they are sought go on to the same bits: the sums over blocks of
// rows, and the search for a margin.
func TestGoesOn(t *testing.T) {
	const n = 300
	rng, xs, y := testkit.Rand(t, 3), data.MakeVectors(n, 2), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range 2 {
			xs.At(i)[j] = rng.NormFloat64()
		}
		y.Set(i, 0, 1)
		if xs.At(i)[0]*xs.At(i)[1] < 0 {
			y.Set(i, 0, -1)
		}
	}
	k := kernel.Sum[[]float64]{Terms: []kernel.Kernel[[]float64]{vec.Linear{}, vec.RBF{Sigma: 1}, vec.RBF{Sigma: 0.2}}}
	for _, method := range mkl.Methods {
		t.Run(string(method), func(t *testing.T) {
			checkpointtest.Resumes(t, func(workers int, s *checkpointtest.Steps) ([]float64, error) {
				_, r, err := mkl.Weigh(t.Context(), k, xs, y, mkl.Options{Method: method, Balance: 0.1, Compute: compute.Options{Workers: workers, Checkpoint: s}})
				if err != nil {
					return nil, err
				}
				return slices.Concat(r.Weights, r.Shares, r.Alignments, []float64{r.Alignment, r.Gap}), nil
			})
		})
	}
}
