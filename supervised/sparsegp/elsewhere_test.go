package sparsegp_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
)

// TestSameBitsElsewhere: solutions, gradients and searches of rows in memory, in a file and behind
// a driver, for several numbers of workers and over several pieces, with weights and two targets.
func TestSameBitsElsewhere(t *testing.T) {
	rng := testkit.Rand(t, 21)
	const n = 17000 // one piece and the beginning of another
	xs, y := wave(rng, n, 2)
	two := mat.NewDense(n, 2, nil)
	two.SetCol(0, mat.Col(nil, 0, y))
	for i := range n {
		two.Set(i, 1, xs.At(i)[0])
	}
	weights, noises := positive(rng, n), positive(rng, n)
	weights[3], weights[16999] = 0, 0
	at := xs.Gather(span(40))
	k := parse(t, "1.3*rbf(sigma=[0.7,0.9]) + 0.5*linear()")
	rows, driver := passtest.Apart(xs)
	for _, approximation := range sparsegp.Approximations {
		var want []float64
		for _, workers := range []int{1, 2, 3, 8} {
			for name, of := range map[string]data.Set[[]float64]{"memory": xs, "file": passtest.NewRows(xs), "elsewhere": rows} {
				o := sparsegp.Options{Approximation: approximation, Noise: 0.1, RowNoise: noises, Weights: weights, Compute: compute.Options{Workers: workers}}
				before := driver.Passes
				p, r, err := sparsegp.Fit(t.Context(), k, of, at, two, o)
				if err != nil {
					t.Fatal(err)
				}
				value, theta, noise := slope(t, k, of, at, two, o)
				got := slices.Concat(p.Coef.RawMatrix().Data, r.LogEvidence, r.RMSE, p.Bias, p.Posterior.State().Precision.Rows(), []float64{value, noise, r.TraceLeft}, theta)
				if want == nil {
					want = got
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, %s, %d workers: other bits", approximation, name, workers)
				}
				// The diagonal, moments and residuals of each, and the gradient.
				if passes := driver.Passes - before; name == "elsewhere" && passes != 7 {
					t.Errorf("%s: %d passes, not 7", approximation, passes)
				}
			}
		}
	}
}

// TestTuneElsewhere finds the same kernel, noise and number of evaluations, and reads no row
// itself.
func TestTuneElsewhere(t *testing.T) {
	rng := testkit.Rand(t, 22)
	xs, y := wave(rng, 400, 1)
	at := xs.Gather(span(12))
	rows, _ := passtest.Apart(xs)
	k, o := parse(t, "2*rbf(sigma=3)"), sparsegp.Options{Noise: 0.5}
	search := gp.TuneOptions{Evaluations: 12}
	want, noise, report, err := sparsegp.Tune(t.Context(), k, xs, at, y, o, search)
	if err != nil {
		t.Fatal(err)
	}
	got, there, found, err := sparsegp.Tune(t.Context(), k, rows, at, y, o, search)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != want.String() || there != noise || found.Evaluations != report.Evaluations {
		t.Errorf("%s with the noise %v after %d evaluations, and elsewhere %s, %v, %d", want, noise, report.Evaluations, got, there, found.Evaluations)
	}
}
