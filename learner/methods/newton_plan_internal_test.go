package methods

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/task"
)

// noisyLabels is a table of two labels of which a tenth are wrong.
func noisyLabels(t *testing.T, n int) *task.Task {
	r := rand.New(rand.NewPCG(1, 2))
	x, y, label := make([]float64, n), make([]float64, n), make([]string, n)
	for i := range n {
		x[i], y[i], label[i] = r.NormFloat64(), r.NormFloat64(), "out"
		if (x[i]*x[i]+y[i]*y[i] < 1) != (r.Float64() < 0.1) {
			label[i] = "in"
		}
	}
	none := make([]bool, n)
	table := &data.Table{Source: "labels", Columns: []data.Column{{Name: "x", Numbers: x, Missing: none}, {Name: "y", Numbers: y, Missing: none}, {Name: "label", Kind: data.Categorical, Strings: label, Missing: none}}}
	p, err := task.New(t.Context(), table, prep.Spec{Targets: []string{"label"}}, "rbf(sigma=0.5)")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Newton's method takes on all rows the steps that a sample takes, two more or less, for a λ of
// few steps and for one of many.
func TestStepsOfASample(t *testing.T) {
	t.Parallel()
	p := noisyLabels(t, fewestForSteps+100)
	methods := []learner.Learner{KLR{klr.Options{Lambda: 1e-1}}, KLR{klr.Options{Lambda: 1e-7}}, GPC{}}
	var counts []int
	for _, m := range methods {
		fitted, err := m.Fit(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		took := fitted.Report.(traced).NewtonTrace().Iterations
		tried := triedSteps(t.Context(), p, m)
		if tried < 1 || tried < took-2 || tried > took+2 {
			t.Errorf("%s: %d steps on a sample, and %d on all rows", m.Name(), tried, took)
		}
		counts = append(counts, tried)
		plan, err := m.Plan(t.Context(), p)
		if err != nil || !slices.ContainsFunc(plan.Notes, func(s string) bool { return strings.HasPrefix(s, "Newton's method took") }) {
			t.Errorf("%s: notes %q; %v", m.Name(), plan.Notes, err)
		}
		if n := triedSteps(t.Context(), p.EvenSample(fewestForSteps-1), m); n != 0 {
			t.Errorf("%s: %d steps are tried where the fit is no longer", m.Name(), n)
		}
	}
	if counts[1] <= counts[0] {
		t.Errorf("%d steps with λ = 1e-7, and %d with 0.1", counts[1], counts[0])
	}
}
