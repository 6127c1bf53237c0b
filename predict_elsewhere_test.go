package mercer_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/pass"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// apart is a table whose rows have a driver that treats passes as an engine on a bad day does.
type apart struct{ data.Blocks }

func (a apart) Driver(_ *prep.Pipeline, rows *prep.Streamed) (pass.Driver, error) {
	return &passtest.Scrambled{Rows: rows}, nil
}

// TestPredictionsElsewhere: values, probabilities and intervals of rows elsewhere have the bits of
// those of rows in memory, for averages over a posterior and intervals of processes and of ridge
// regression.
func TestPredictionsElsewhere(t *testing.T) {
	t.Parallel()
	_, whole, blocks := longTable(t)
	number := prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}, Missing: prep.Mean}
	label := prep.Spec{Targets: []string{"label"}, Drop: []string{"y"}, Missing: prep.Mean}
	low := task.Approximation{Landmarks: &nystrom.Options{Scheme: nystrom.Uniform, Rank: 20, Seed: 3}}
	few := whole.Gather(data.Range(0, 150))
	for _, c := range []struct {
		name   string
		table  *data.Table
		spec   prep.Spec
		r      task.Approximation
		method learner.Learner
		asked  outcome.Asked
	}{
		{"gpc on landmarks", whole, label, low, methods.GPC{Scale: 2}, outcome.Asked{}},
		{"gpc", few, label, task.Approximation{}, methods.GPC{}, outcome.Asked{}},
		{"gp on landmarks", whole, number, low, methods.GP{Options: gp.Options{Noise: 1e-2}}, outcome.Asked{Level: 0.9}},
		{"gp", few, number, task.Approximation{}, methods.GP{Options: gp.Options{Noise: 1e-2}}, outcome.Asked{Level: 0.9}},
		{"krr", few, number, task.Approximation{}, methods.KRR{Options: krr.Options{Lambda: 1e-3, LOO: true}}, outcome.Asked{Level: 0.8, Method: krr.Jackknife}},
	} {
		p, err := task.New(t.Context(), c.table, c.spec, "rbf(sigma=2)")
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.Reduced(t.Context(), c.r, compute.Options{}); err != nil {
			t.Fatal(err)
		}
		fitted, err := mercer.Fit(t.Context(), p, c.method, 1)
		if err != nil {
			t.Fatal(err)
		}
		// As the command does: the covariance of gpc is factored again from a file, with other
		// rounding.
		m, err := mercer.Decode("m.mercer", saved(t, fitted), task.Files{})
		if err != nil {
			t.Fatal(err)
		}
		want := saidInPasses(t, m, blocks, c.asked)
		if got := saidInPasses(t, m, apart{blocks}, c.asked); !slices.Equal(got, want) {
			t.Errorf("%s: other numbers elsewhere", c.name)
		}
		all, err := m.Predict(t.Context(), whole, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(said(t, m, all, c.asked), want) {
			t.Errorf("%s: other numbers in memory", c.name)
		}
	}
}

// saidInPasses returns all numbers that predictions in passes have. Intervals come with them.
func saidInPasses(t *testing.T, m *mercer.Model, b data.Blocks, a outcome.Asked) (all []float64) {
	t.Helper()
	_, err := m.PredictBlocks(t.Context(), b, a, compute.Options{}, func(p *outcome.Prediction) error {
		if a.Level > 0 && p.Learned().Intervals == nil {
			t.Error("there are no intervals")
		}
		all = append(all, said(t, m, p, a)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// said returns the numbers of each row of a prediction.
func said(t *testing.T, m *mercer.Model, p *outcome.Prediction, a outcome.Asked) (all []float64) {
	t.Helper()
	parts := []*mat.Dense{p.Values}
	if probabilities := p.Probabilities(); probabilities != nil {
		parts = append(parts, probabilities)
	}
	if a.Level > 0 {
		method := a.Method
		if method == "" {
			method = krr.JackknifePlus
		}
		lo, hi, err := m.Intervals(t.Context(), p, a.Level, method, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, lo, hi)
	}
	for i := range p.Rows.Rows {
		for _, part := range parts {
			all = append(all, part.RawRowView(i)...)
		}
	}
	return all
}
