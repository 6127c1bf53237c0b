package tune_test

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// TestCompassEndsInAMinimum: no neighbour of the end on the grid has a score that is lower by more
// than a part of 10⁻⁴, each computed from scratch, and every score on the way is that of its place.
func TestCompassEndsInAMinimum(t *testing.T) {
	xs, y := wave(t, 80, 2)
	for _, by := range []krr.Criterion{krr.LOO, krr.Evidence} {
		for _, start := range []float64{0, 1e-4, 3} {
			r := mustTune(t, rbf(0.2), xs, y, how{Criterion: by, Strategy: tune.Compass, Lambda: tune.Range{Lower: 1e-9, Upper: 1e3, Start: start}})
			score := func(sigma, lambda float64) float64 {
				return criterion(t, by, vec.RBF{Sigma: sigma}, xs, y, lambda)
			}
			seen := map[[2]float64]bool{}
			for _, trial := range r.Trials {
				at := [2]float64{trial.Values[0], lambdaOf(trial)}
				if start > 0 && seen[at] {
					t.Errorf("σ = %v, λ = %v was tried twice", at[0], at[1])
				}
				seen[at] = true
				testkit.Close(t, "score", trial.Score, score(at[0], at[1]), 1e-7)
			}
			sigma, lambda, best := r.Best.Values[0], lambdaOf(r.Best), r.Best.Score
			if start > 0 { // on the grid around it
				steps := math.Log10(lambda/start) * 2
				testkit.Close(t, "steps of λ", steps, math.Round(steps), 1e-9)
			}
			for _, next := range [][2]float64{{sigma * math.Sqrt2, lambda}, {sigma / math.Sqrt2, lambda}, {sigma, lambda * math.Sqrt(10)}, {sigma, lambda / math.Sqrt(10)}} {
				if s := score(next[0], next[1]); s < best-1.001e-4*math.Abs(best) {
					t.Errorf("%s from λ = %v ends at σ = %v, λ = %v with %v, and σ = %v, λ = %v has %v", by, start, sigma, lambda, best, next[0], next[1], s)
				}
			}
		}
	}
}

// TestCompassKeepsToItsBounds: λ stays in its range, and a kernel without parameters moves λ alone.
func TestCompassKeepsToItsBounds(t *testing.T) {
	xs, y := wave(t, 40, 1)
	fixed := rbf(0.05)
	fixed.Parameters, fixed.Build = nil, tune.Of(vec.RBF{Sigma: 0.05}).Build
	build := fixed.Build
	fixed.Build = func([]float64) (k kernel.Kernel[[]float64], err error) { return build([]float64{0.05}) }
	r := mustTune(t, fixed, xs, y, how{Strategy: tune.Compass, Lambda: tune.Range{Lower: 0.5, Upper: 2, Start: 1}})
	if len(r.Trials) != 1 || lambdaOf(r.Best) != 1 {
		t.Errorf("%d trials, λ = %v: √10 to either side of 1 is outside of 0.5 to 2", len(r.Trials), lambdaOf(r.Best))
	}
	// A bound that is twelve decades below the other is one, too.
	low := mustTune(t, fixed, xs, y, how{Strategy: tune.Compass, Lambda: tune.Range{Lower: 1e-10, Upper: 100, Start: 1e-10}})
	for _, trial := range low.Trials {
		if lambdaOf(trial) < 0.999e-10 {
			t.Errorf("λ = %v was tried, below 1e-10", lambdaOf(trial))
		}
	}
	if wide := mustTune(t, fixed, xs, y, how{Strategy: tune.Compass, Lambda: tune.Range{Lower: 0.1, Upper: 10, Start: 1}}); len(wide.Trials) < 3 {
		t.Errorf("%d trials of λ in two decades", len(wide.Trials))
	}
}
