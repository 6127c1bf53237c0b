package svm_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/svm"
)

// problem is one of classes, or of numbers where there are none.
type problem struct {
	xs      data.Vectors
	classes []int
	numbers []float64
	o       svm.Options
}

func (p problem) fit(t *testing.T, k vec.RBF) (*model.Expansion[[]float64], *svm.Report) {
	t.Helper()
	f, r, err := svm.Fit(t.Context(), k, p.xs, p.classes, p.o)
	if p.classes == nil {
		f, r, err = svm.FitRegression(t.Context(), k, p.xs, p.numbers, p.o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f, r
}

func (p problem) fitFrom(t *testing.T, k vec.RBF, start svm.Start) (*model.Expansion[[]float64], *svm.Report, error) {
	t.Helper()
	if p.classes == nil {
		return svm.FitRegressionFrom(t.Context(), k, p.xs, p.numbers, start, p.o)
	}
	return svm.FitFrom(t.Context(), k, p.xs, p.classes, start, p.o)
}

// Coefficients that were found with another kernel are as far from the minimum as their gap
// says at most, and a search from them ends where one from nothing does: on few rows, whose
// matrix is float64, and on many; for two classes and three, and for numbers; with weights.
func TestSearchFromTheSolutionWithAnotherKernel(t *testing.T) {
	testkit.SkipUnderRace(t)
	for _, n := range []int{150, 2200} {
		xs, three := blobs(t, 61, n, 3)
		two, numbers, weights := make([]int, n), make([]float64, n), make([]float64, n)
		for i := range n {
			two[i], numbers[i], weights[i] = min(three[i], 1), math.Sin(2*xs.At(i)[0])+0.1*xs.At(i)[1], float64(i%4)
		}
		for what, p := range map[string]problem{
			"two classes":   {xs, two, nil, svm.Options{C: 3}},
			"three classes": {xs, three, nil, svm.Options{C: 0.5, Weights: weights}},
			"numbers":       {xs, nil, numbers, svm.Options{C: 2, Epsilon: 0.05, Weights: weights}},
		} {
			for _, sigma := range []float64{0.5, 0.99, 3} {
				k := vec.RBF{Sigma: 1}
				_, want := p.fit(t, k)
				low, r := p.fit(t, vec.RBF{Sigma: sigma})
				start := svm.Start{Rows: r.Support, Coef: low.Coef}
				_, polished, err := p.fitFrom(t, k, start)
				if err != nil {
					t.Fatal(err)
				}
				start.EvaluateOnly = true
				same, evaluateOnly, err := p.fitFrom(t, k, start)
				if err != nil {
					t.Fatal(err)
				}
				if !mat.EqualApprox(same.Coef, low.Coef, 1e-12) {
					t.Errorf("%s of %d rows: the coefficients that are evaluateOnly are not those given", what, n)
				}
				for i, m := range evaluateOnly.Problems {
					best := want.Problems[i].Objective - want.Problems[i].Gap
					if above := m.Objective - want.Problems[i].Objective; above > m.Gap*(1+1e-9)+1e-9 || m.Gap < 0 {
						t.Errorf("%s of %d rows, σ = %g, problem %d: %g above the minimum, and the gap is %g", what, n, sigma, i, above, m.Gap)
					}
					if m.Gap != m.StartGap || m.StartGap != polished.Problems[i].StartGap || m.Iterations != 0 {
						t.Errorf("%s of %d rows, problem %d: gaps %g, %g and %g after %d steps", what, n, i, m.Gap, m.StartGap, polished.Problems[i].StartGap, m.Iterations)
					}
					if got := polished.Problems[i]; !got.Converged || got.Objective < best-1e-9 || got.Objective > want.Problems[i].Objective+got.Gap+1e-9 {
						t.Errorf("%s of %d rows, σ = %g, problem %d: objective %.9g, gap %g (converged %v), from nothing %.9g, gap %g",
							what, n, sigma, i, got.Objective, got.Gap, got.Converged, want.Problems[i].Objective, want.Problems[i].Gap)
					}
				}
				if len(evaluateOnly.Warnings) > 0 {
					t.Errorf("%s of %d rows: %q", what, n, evaluateOnly.Warnings)
				}
			}
		}
	}
}

// A search from a solution has nothing to do.
func TestSearchFromItsOwnSolution(t *testing.T) {
	xs, y := blobs(t, 62, 400, 2)
	p, k := problem{xs, y, nil, svm.Options{C: 2}}, vec.RBF{Sigma: 1}
	f, r := p.fit(t, k)
	g, again, err := p.fitFrom(t, k, svm.Start{Rows: r.Support, Coef: f.Coef})
	if err != nil {
		t.Fatal(err)
	}
	if again.Problems[0].Iterations != 0 || !again.Converged || !mat.Equal(f.Coef, g.Coef) {
		t.Errorf("%d steps from a solution, converged %v", again.Problems[0].Iterations, again.Converged)
	}
	testkit.Close(t, "gap", again.Problems[0].StartGap, r.Problems[0].Gap, 1e-9)
}

func TestStartsThatAreNone(t *testing.T) {
	xs, y := blobs(t, 63, 60, 2)
	k := vec.RBF{Sigma: 1}
	_, r := problem{xs, y, nil, svm.Options{}}.fit(t, k)
	rows := []int{0, 1}
	for what, tc := range map[string]struct {
		start svm.Start
		o     svm.Options
	}{
		"without coefficients":        {svm.Start{}, svm.Options{}},
		"1×1 coefficients":            {svm.Start{Rows: rows, Coef: mat.NewDense(1, 1, nil)}, svm.Options{}},
		"beyond its bounds":           {svm.Start{Rows: rows, Coef: mat.NewDense(2, 1, []float64{2, -2})}, svm.Options{}},
		"add up to":                   {svm.Start{Rows: r.Support[:1], Coef: mat.NewDense(1, 1, []float64{0.1 * float64(2*y[r.Support[0]]-1)})}, svm.Options{}},
		"none of the 59 rows":         {svm.Start{Rows: rows, Coef: mat.NewDense(2, 1, []float64{0.1, -0.1})}, svm.Options{Weights: append([]float64{0}, slices.Repeat([]float64{1}, 59)...)}},
		"this is nu-svc":              {svm.Start{Rows: rows, Coef: mat.NewDense(2, 1, nil)}, svm.Options{Type: svm.NuSVC, Nu: 0.2}},
		"this is c-svc with C = +Inf": {svm.Start{Rows: rows, Coef: mat.NewDense(2, 1, nil)}, svm.Options{C: math.Inf(1)}},
	} {
		p := problem{xs, y, nil, tc.o}
		if _, _, err := p.fitFrom(t, k, tc.start); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
