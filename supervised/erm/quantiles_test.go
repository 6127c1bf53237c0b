package erm_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/space"
	"example.org/mercer/supervised/erm"
)

// Noise that grows with x, few rows, many quantiles: the fitted curves cross, the
// rearranged ones do not, at rows and elsewhere, and are not worse.
func TestRearrangedQuantilesDoNotCross(t *testing.T) {
	rng := testkit.Rand(t, 20)
	n := 60
	xs, y := data.MakeVectors(n, 1), make([]float64, n)
	for i := range n {
		x := 4 * rng.Float64()
		xs.At(i)[0] = x
		y[i] = math.Sin(2*x) + 0.4*x*rng.NormFloat64()
	}
	taus := []float64{0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9}
	f, report, err := erm.FitQuantiles(t.Context(), parse(t, "rbf(sigma=0.5)"), xs, y, taus, erm.Options{Lambda: 1e-4})
	if err != nil {
		t.Fatal(err)
	}
	if report.Crossed == 0 || !(report.Worst > 0) {
		t.Fatalf("no curves cross, so that nothing is tested: %+v", report)
	}
	fresh := data.MakeVectors(201, 1)
	for i := range fresh.Len() {
		fresh.At(i)[0] = 0.02 * float64(i)
	}
	total := func(values *mat.Dense) float64 {
		sum := 0.0
		for i := range n {
			for c, tau := range taus {
				sum += loss.Quantile{Tau: tau}.Value(y[i], values.At(i, c))
			}
		}
		return sum
	}
	for _, set := range []data.Vectors{xs, fresh} {
		values, err := f.Predict(t.Context(), set, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sorted := mat.DenseCopyOf(values)
		erm.Rearrange(sorted)
		for i := range set.Len() {
			if !slices.IsSorted(sorted.RawRowView(i)) {
				t.Errorf("row %d: %v", i, sorted.RawRowView(i))
			}
		}
		if set.Len() == n && total(sorted) > total(values)*(1+1e-12) {
			t.Errorf("the losses grow from %g to %g", total(values), total(sorted))
		}
	}
	// τ of the rows lie below the τ-quantile, up to the rows on the curve.
	for c, tau := range taus {
		values, err := f.Predict(t.Context(), xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		below, on := 0, 0
		for i := range n {
			switch r := y[i] - values.At(i, c); {
			case math.Abs(r) < 1e-7:
				on++
			case r < 0:
				below++
			}
		}
		if float64(below) > tau*float64(n) || float64(below+on) < tau*float64(n) || on == 0 {
			t.Errorf("τ = %g: %d of %d rows below and %d on the curve", tau, below, n, on)
		}
	}
}

// The median of quantiles is the fit of the absolute loss at half the λ.
func TestMedianIsAbsoluteLoss(t *testing.T) {
	p := newProblem(testkit.Rand(t, 21), 50, true)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	sol, report, err := erm.SolveQuantiles(t.Context(), space.NewDual(k, linalg.Options{}), p.y, []float64{0.25, 0.5}, erm.Options{Lambda: 0.01, Weights: p.weights})
	if err != nil {
		t.Fatal(err)
	}
	absolute, _ := solve(t, k, p, loss.Absolute{}, erm.Options{Lambda: 0.02})
	testkit.CloseSlice(t, "α", mat.Col(nil, 1, sol.Coef), mat.Col(nil, 0, absolute.Coef), 1e-6)
	if len(report.Each) != 2 || report.Seconds <= 0 {
		t.Errorf("%+v", report)
	}
}

func TestQuantilesRefuse(t *testing.T) {
	s := space.NewDual(mat.NewSymDense(2, []float64{1, 0, 0, 1}), linalg.Options{})
	for _, c := range []struct {
		taus []float64
		want string
	}{{nil, "no quantiles"}, {[]float64{0.5, 0.2}, "rising order"}, {[]float64{0.5, 1.2}, "tau = 1.2"}} {
		if _, _, err := erm.SolveQuantiles(t.Context(), s, []float64{1, 2}, c.taus, erm.Options{Lambda: 1}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.taus, err)
		}
	}
}
