package mercer_test

import (
	"math"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/rfm"
)

// shifted returns the table with a number of one row changed.
func shifted(t *data.Table, column string, row int, by float64) *data.Table {
	out := *t
	out.Columns = append([]data.Column(nil), t.Columns...)
	for j, c := range out.Columns {
		if c.Name == column {
			out.Columns[j].Numbers = append([]float64(nil), c.Numbers...)
			out.Columns[j].Numbers[row] += by
		}
	}
	return &out
}

// Whatever method made a function, its gradient in a column is the difference of predictions of
// tables that differ in one cell, per unit of that column; the metric of rfm is seen through.
// Central differences with a step of 1e-4 of 31 are right to 1e-7 of the third derivatives.
func TestGradientsAreDifferencesOfPredictions(t *testing.T) {
	t.Parallel()
	table := flats(40)
	numbers, labels := prep.Spec{Targets: []string{"price"}, Drop: []string{"kind"}}, prep.Spec{Targets: []string{"kind"}, Drop: []string{"price"}, Labels: true}
	for _, c := range []struct {
		kernel string
		method learner.Learner
		spec   prep.Spec
	}{
		{"rbf(sigma=2)", methods.KRR{Options: krr.Options{Lambda: 1e-3}}, numbers},
		{"rbf(sigma=1)[size] + 0.1*matern(nu=2.5, sigma=2)", methods.KLR{Options: klr.Options{Lambda: 1e-2}}, labels},
		{"rbf(sigma=2)", methods.RFM{Options: rfm.Options{Shape: mahalanobis.Full, Rounds: 2}, Lambda: 1e-3, Last: true}, numbers},
		{"rbf(sigma=2)", methods.RFM{Options: rfm.Options{Rounds: 1}, Lambda: 1e-3, Last: true}, numbers},
	} {
		m := reload(t, fitted(t, table, c.spec, c.kernel, c.method))
		said := predict(t, m, table)
		g, err := m.Gradients(background, said, mercer.ExplainOptions{Rows: []int{3, 8}}, compute.Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(g.Rows) != 2*len(said.Outputs) {
			t.Fatalf("%d rows for %d outputs", len(g.Rows), len(said.Outputs))
		}
		const h = 1e-4
		for i, r := range g.Rows {
			row, output := []int{2, 7}[i/len(said.Outputs)], i%len(said.Outputs)
			up, down := predict(t, m, shifted(table, "size", row, h)), predict(t, m, shifted(table, "size", row, -h))
			want := (up.Values.At(row, output) - down.Values.At(row, output)) / (2 * h)
			testkit.Close(t, c.method.Name(), slopeOf(t, r.Features, "size"), want, 1e-5*math.Abs(want)+1e-8)
			testkit.Close(t, "prediction", r.Prediction, said.Values.At(row, output), 0)
		}
		for at, o := range g.Outputs {
			a, b := slopeOf(t, g.Rows[at].Features, "size"), slopeOf(t, g.Rows[at+len(said.Outputs)].Features, "size")
			for _, f := range o.Features {
				if f.Name == "size" {
					testkit.Close(t, "mean", f.Mean, (math.Abs(a)+math.Abs(b))/2, 1e-12)
					testkit.Close(t, "square", f.Square, (a*a+b*b)/2, 1e-12*(1+a*a+b*b))
				}
			}
		}
	}
}

func slopeOf(t *testing.T, features []mercer.GradientFeature, name string) float64 {
	t.Helper()
	for _, f := range features {
		if f.Name == name {
			return f.Slope
		}
	}
	t.Fatalf("no feature %s among %v", name, features)
	return 0
}

func TestGradientsThatAreNotThere(t *testing.T) {
	t.Parallel()
	table, spec := flats(30), prep.Spec{Targets: []string{"price"}, Drop: []string{"kind"}}
	m := fitted(t, table, spec, "min+5", methods.KRR{Options: krr.Options{Lambda: 1e-1, Solver: krr.Cholesky}})
	_, err := m.Gradients(background, predict(t, m, table), mercer.ExplainOptions{}, compute.Options{})
	if err == nil || !strings.Contains(err.Error(), "no gradient") {
		t.Error(err)
	}
	m = fitted(t, table, spec, "rbf(sigma=1)", methods.KRR{Options: krr.Options{Lambda: 1e-1}})
	g, err := m.Gradients(background, predict(t, m, table), mercer.ExplainOptions{Top: 1}, compute.Options{})
	if err != nil || len(g.Rows[0].Features) != 1 || g.Rows[0].Others < 2 {
		t.Errorf("%+v, %v", g.Rows[0], err)
	}
}
