package erm_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/supervised/erm"
)

// noisy are rows with noise that grows.
func noisy(t *testing.T, n int) (data.Vectors, []float64) {
	rng := testkit.Rand(t, 21)
	xs, y := data.MakeVectors(n, 2), make([]float64, n)
	for i := range n {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		xs.At(i)[0], xs.At(i)[1] = a, b
		y[i] = math.Sin(a) + b + math.Abs(a)*rng.NormFloat64()
	}
	return xs, y
}

// predicted are the values of a model at points.
func predicted(t *testing.T, f model.Predictor[[]float64], xs data.Vectors) *mat.Dense {
	t.Helper()
	values, err := f.Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// TestQuantilesSharePasses: several take as many passes as the one that takes most, and each is the
// curve that it is alone, and in memory.
func TestQuantilesSharePasses(t *testing.T) {
	xs, y := noisy(t, 3000)
	k, taus, o := parse(t, "poly(degree=3, offset=1)"), []float64{0.1, 0.5, 0.9}, erm.Options{Lambda: 1e-3, Solver: erm.Primal}
	held, _, err := erm.FitQuantiles(t.Context(), k, xs, y, taus, o)
	if err != nil {
		t.Fatal(err)
	}
	rows, driver := passtest.Apart(xs)
	together, _, err := erm.FitQuantiles(t.Context(), k, rows, y, taus, o)
	if err != nil {
		t.Fatal(err)
	}
	want := predicted(t, together, xs)
	if !mat.Equal(want, predicted(t, held, xs)) {
		t.Error("curves of rows that are read in passes differ from those in memory")
	}
	longest := 0
	for c, tau := range taus {
		rows, driver := passtest.Apart(xs)
		alone, _, err := erm.FitQuantiles(t.Context(), k, rows, y, []float64{tau}, o)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(want.ColView(c), predicted(t, alone, xs)) {
			t.Errorf("quantile %g differs from what it is alone", tau)
		}
		longest = max(longest, driver.Passes)
	}
	if driver.Passes != longest {
		t.Errorf("%d passes for all, and %d for one of them", driver.Passes, longest)
	}
}

// TestRandomStartsSharePasses: the trimmed fits of Tukey's loss go on side by side where there is
// memory for them.
func TestRandomStartsSharePasses(t *testing.T) {
	xs, y := noisy(t, 3000)
	k, o := parse(t, "poly(degree=1, offset=1)"), erm.Options{Lambda: 1e-3, Solver: erm.Primal}
	held, _, err := erm.Fit(t.Context(), k, xs, y, loss.Tukey{}, o)
	if err != nil {
		t.Fatal(err)
	}
	var passes []int
	for _, limit := range []int64{0, 1} {
		o.Compute.MaxMemory = limit
		rows, driver := passtest.Apart(xs)
		f, _, err := erm.Fit(t.Context(), k, rows, y, loss.Tukey{}, o)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(predicted(t, held, xs), predicted(t, f, xs)) {
			t.Errorf("the fit with %d passes differs from that in memory", driver.Passes)
		}
		passes = append(passes, driver.Passes)
	}
	if 3*passes[0] > passes[1] {
		t.Errorf("%d passes together, and %d one after another", passes[0], passes[1])
	}
}
