package erm_test

import (
	"errors"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/supervised/erm"
)

func TestFitChoosesTheSpace(t *testing.T) {
	p := newProblem(testkit.Rand(t, 30), 5, false)
	for _, c := range []struct {
		kernel string
		solver erm.Solver
		used   erm.Solver
		why    string
	}{
		{"rbf(sigma=1)", erm.Auto, erm.Cholesky, "no feature map"},
		{"linear()", erm.Auto, erm.Primal, "2 dimensions, fewer than 5 rows"},
		{"linear()", erm.Cholesky, erm.Cholesky, "as asked"},
		{"poly(degree=2, offset=1)", erm.Auto, erm.Cholesky, "no feature map of fewer dimensions"}, // 6 features
		{"poly(degree=2, offset=1)", erm.Primal, erm.Primal, "as asked"},
	} {
		f, report, err := erm.Fit(t.Context(), parse(t, c.kernel), p.xs, p.y, loss.Absolute{}, erm.Options{Lambda: 0.1, Solver: c.solver})
		if err != nil {
			t.Fatal(err)
		}
		if _, primal := f.(*model.Primal[[]float64]); primal != (c.used == erm.Primal) || report.Solver != c.used || !strings.Contains(report.Why, c.why) {
			t.Errorf("%s, %s: %T by %s because %s", c.kernel, c.solver, f, report.Solver, report.Why)
		}
	}
}

// picky is defined for small first coordinates.
type picky struct{ kernel.Kernel[[]float64] }

func (picky) Contains(x []float64) error {
	if x[0] > 100 {
		return errors.New("too large")
	}
	return nil
}

func TestFitRefuses(t *testing.T) {
	p := newProblem(testkit.Rand(t, 31), 20, false)
	fit := func(k kernel.Kernel[[]float64], l loss.Loss, o erm.Options) error {
		_, _, err := erm.Fit(t.Context(), k, p.xs, p.y, l, o)
		return err
	}
	rbf := parse(t, "rbf(sigma=1)")
	if err := fit(rbf, loss.Squared{}, erm.Options{}); err == nil || !strings.Contains(err.Error(), "give a λ > 0") {
		t.Errorf("no λ: %v", err)
	}
	if err := fit(rbf, loss.Squared{}, erm.Options{Lambda: 1, Solver: erm.Primal}); err == nil || !strings.Contains(err.Error(), "has none") {
		t.Errorf("no features: %v", err)
	}
	// So narrow and so little penalised that f goes through every row.
	if err := fit(parse(t, "rbf(sigma=0.001)"), loss.Huber{}, erm.Options{Lambda: 1e-9}); err == nil || !strings.Contains(err.Error(), "give the scale, or a larger λ") {
		t.Errorf("every row fitted exactly: %v", err)
	}
	var large *compute.TooLarge
	if err := fit(rbf, loss.Squared{}, erm.Options{Lambda: 1, Compute: compute.Options{MaxMemory: 1000}}); !errors.As(err, &large) {
		t.Errorf("a kilobyte: %v", err)
	}
	p.xs.At(7)[0] = 1000
	if err := fit(picky{rbf}, loss.Squared{}, erm.Options{Lambda: 1}); err == nil || !strings.Contains(err.Error(), "row 7: too large") {
		t.Errorf("outside of the domain: %v", err)
	}
}
