package mercer_test

import (
	"math"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/tune"
)

// TestTuningFalkonIsTuningTheExactProblem compares scores with all training rows as
// landmarks, along the λ of a path, and those of kernel ridge regression fitted to the
// training rows of each split.
func TestTuningFalkonIsTuningTheExactProblem(t *testing.T) {
	lambdas, method := []float64{1e-3, 1e-2, 1e-1}, methods.Falkon{Options: falkon.Options{Stop: falkon.Stop{Tolerance: 1e-10}}, Landmarks: nystrom.Options{Rank: 90, Scheme: nystrom.Uniform}}
	for _, c := range []struct {
		table         *data.Table
		spec          prep.Spec
		kernel, score string
	}{
		{houses(90, 3), prep.Spec{Targets: []string{"price"}, Drop: []string{"id", "kind", "weight"}, Raw: []string{"*"}}, "rbf(sigma=20)", "rmse"},
		{petals(84), petalSpec, petalKernel, "accuracy"},
	} {
		n := c.table.Rows()
		splits, err := tune.KFold(n, 3, 5)
		if err != nil {
			t.Fatal(err)
		}
		p, _, tuned, err := search.Tune(background, c.table, c.spec, c.kernel, method, search.Search{Splits: search.Splits{Folds: 3}, Score: c.score,
			Ranges: search.Ranges{Grid: map[string][]float64{"lambda": lambdas}}, Options: tune.Options{Seed: 5}})
		if err != nil {
			t.Fatal(err)
		}
		if target := p.Prep.Targets()[0]; target.Labels != nil {
			var classes []int
			for i := range n {
				classes = append(classes, target.Class(p.Rows.Y.RawRowView(i)))
			}
			if splits, err = tune.StratifiedKFold(classes, 3, 5); err != nil {
				t.Fatal(err)
			}
		}
		if len(tuned.Trials) != len(lambdas) {
			t.Fatalf("%s: %d trials", c.score, len(tuned.Trials))
		}
		for i, trial := range tuned.Trials {
			want := 0.0
			for _, s := range splits {
				want += exactScore(t, c.table, c.spec, c.kernel, lambdas[i], s) / 3
			}
			// The gradient that is left moves values by 1e-10 of the targets over λ.
			if diff := math.Abs(trial.Score - want); !(diff <= 1e-6*want) || trial.Failed != "" {
				t.Errorf("%s, λ = %v: %v %s, exactly %v", c.score, trial.Values, trial.Score, trial.Failed, want)
			}
		}
	}
}

// exactScore is the accuracy or the RMSE of kernel ridge regression on a split.
func exactScore(t *testing.T, table *data.Table, s prep.Spec, kernel string, lambda float64, split tune.Split) float64 {
	m := fit(t, table.Gather(split.Train), s, kernel, krr.Options{Lambda: lambda})
	test, err := m.Test(background, table.Gather(split.Test), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := test.Scores()
	if err != nil {
		t.Fatal(err)
	}
	if scores[0].LabelScores != nil {
		return scores[0].Accuracy
	}
	return scores[0].RMSE
}

// TestTuningFalkonHoldsNoGramMatrix tunes within a limit below the 144 MB that two Gram
// matrices of the rows take.
func TestTuningFalkonHoldsNoGramMatrix(t *testing.T) {
	limit := compute.Options{MaxMemory: 32 << 20}
	wanted := search.Search{Splits: search.Splits{Folds: 2}, Ranges: search.Ranges{Grid: map[string][]float64{"lambda": {1e-4, 1e-2}}}, Options: tune.Options{Trials: 1, Compute: limit}}
	_, m, tuned, err := search.Tune(background, houses(3000, 4), prep.Spec{Targets: []string{"price"}}, "rbf(sigma=?)",
		methods.Falkon{Options: falkon.Options{Compute: limit}, Landmarks: nystrom.Options{Rank: 20}}, wanted)
	if err != nil {
		t.Fatal(err)
	}
	if best, ok := m.(methods.Falkon); !ok || best.Lambda == 0 || tuned.Best.Failed != "" {
		t.Errorf("best is %+v of %+v", m, tuned.Best)
	}
}
