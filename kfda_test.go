package mercer_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/task"
)

// Two classes: one direction, with the second class on its positive side, and one
// function of the barycentres; both have an area under the curve that says so.
func TestTwoClassesByTheirMeans(t *testing.T) {
	table := petals(140)
	for i, kind := range table.Columns[3].Strings {
		if kind == "outer" {
			table.Columns[3].Strings[i] = "middle"
		}
	}
	for _, method := range []learner.Learner{methods.KFDA{Options: kfda.Options{Lambda: 1e-2}}, methods.Barycentre{}} {
		_, m := learnPetals(t, table, petalSpec, petalKernel, method)
		p := predict(t, reload(t, m), table)
		if _, outputs := p.Values.Dims(); outputs != 1 {
			t.Fatalf("%s: %d outputs", method.Name(), outputs)
		}
		test, err := m.Test(background, table, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		scores, err := test.Scores()
		if err != nil {
			t.Fatal(err)
		}
		if s := scores[0]; s.AUC == nil || *s.AUC < 0.8 || s.Accuracy < 0.75 {
			t.Errorf("%s: accuracy %v, AUC %v", method.Name(), s.Accuracy, s.AUC)
		}
	}
}

// A weight of two in the table is the row twice; equal priors are those of the report.
func TestWeightsAndPriorsOfDiscriminants(t *testing.T) {
	table := petals(70)
	weighted := petalSpec
	weighted.Drop, weighted.Weights = nil, "weight"
	twice := petals(70)
	for c := range twice.Columns {
		col := &twice.Columns[c]
		for i := range 70 {
			if i%2 == 0 { // weight 1
				continue
			}
			if col.Strings != nil {
				col.Strings = append(col.Strings, col.Strings[i])
			} else {
				col.Numbers = append(col.Numbers, col.Numbers[i])
			}
		}
	}
	method := methods.KFDA{Options: kfda.Options{Lambda: 1e-2}, EqualPriors: true}
	reports := make([]*kfda.Report, 2)
	for i, c := range []struct {
		spec  prep.Spec
		table *data.Table
	}{{weighted, table}, {petalSpec, twice}} {
		_, m := learnPetals(t, c.table, c.spec, petalKernel, method)
		reports[i] = m.Report.(*kfda.Report)
	}
	testkit.CloseSlice(t, "ratios", reports[0].Ratios, reports[1].Ratios, 1e-9)
	testkit.Close(t, "accuracy", reports[0].Accuracy, reports[1].Accuracy, 1e-12)
	if !slices.Equal(reports[0].Decision.LogPriors, slices.Repeat([]float64{math.Log(1. / 3)}, 3)) {
		t.Errorf("priors %v", reports[0].Decision.LogPriors)
	}
}

// On landmarks and features the discriminant and the barycentres need no matrix of the rows: the
// plan says so, and they fit where such a matrix does not.
func TestDiscriminantOnLandmarksNeedsNoMatrix(t *testing.T) {
	const n = 900
	table := petals(n)
	p, err := task.New(background, table, prep.Spec{Targets: []string{"kind"}, Weights: "weight"}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	how := compute.Options{MaxMemory: 8 * n * n / 4}
	low, err := p.LowRank(background, nystrom.Options{Rank: 30, Compute: how})
	if err != nil {
		t.Fatal(err)
	}
	mapped, err := p.WithFeatures(background, randomfeatures.Options{Dim: 60}, how)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []learner.Learner{
		methods.KFDA{Options: kfda.Options{Lambda: 1e-3, Compute: how}},
		methods.Barycentre{BarycentreOptions: kfda.BarycentreOptions{Compute: how}},
	} {
		for _, q := range []*task.Task{low, mapped} {
			plan, err := learner.Plan(background, q, m)
			held := int64(0)
			for _, s := range plan.Stages {
				held += s.Memory
			}
			if err != nil || plan.Solver != "features" || held >= how.MaxMemory {
				t.Errorf("%s: plan by %q with %d bytes, %v", m.Name(), plan.Solver, held, err)
			}
			if _, err := mercer.Fit(background, q, m, 1); err != nil {
				t.Errorf("%s: %v", m.Name(), err)
			}
		}
		if _, err := mercer.Fit(background, p, m, 1); m.Name() == "kfda" && !errors.As(err, new(*compute.TooLarge)) {
			t.Errorf("%s with the matrix: %v", m.Name(), err)
		}
	}
}
