package mercer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
)

// TestLandmarkPath: every point of a path is the fit at its λ to the rows that were learned
// from, and its scores are those of that model on the rows of either kind.
func TestLandmarkPath(t *testing.T) {
	lambdas := []float64{1e-3, 1e-1, 1e-2}
	method := methods.Falkon{Options: falkon.Options{Stop: falkon.Stop{Tolerance: 1e-11}}, Landmarks: nystrom.Options{Rank: 20, Scheme: nystrom.Uniform, Seed: 3}, Holdout: 0.25}
	for _, c := range []struct {
		table         *data.Table
		spec          prep.Spec
		kernel, score string
	}{
		{houses(90, 3), prep.Spec{Targets: []string{"price"}, Drop: []string{"id", "kind", "weight"}, Raw: []string{"*"}}, "rbf(sigma=20)", "rmse"},
		{petals(84), prep.Spec{Targets: []string{"kind"}, Raw: []string{"*"}}, petalKernel, "accuracy"},
	} {
		p, err := task.New(background, c.table, c.spec, c.kernel)
		if err != nil {
			t.Fatal(err)
		}
		path, err := search.NewLandmarkPath(background, p, method, lambdas, "")
		if err != nil {
			t.Fatal(err)
		}
		if path.Score != c.score || path.Rows+path.HeldOut != c.table.Rows() {
			t.Fatalf("%d rows and %d left out, scored by %s", path.Rows, path.HeldOut, path.Score)
		}
		train, test := method.LeftOut(c.table.Rows(), path.HeldOut)
		var scores []float64
		for i, point := range path.Points {
			alone := method
			alone.Lambda, alone.Holdout = lambdas[i], 0
			q, err := task.New(background, c.table.Gather(train), c.spec, c.kernel)
			if err != nil {
				t.Fatal(err)
			}
			m, err := mercer.Fit(background, q, alone, 1)
			if err != nil {
				t.Fatal(err)
			}
			// The gradients that are left move values by 1e-11 of the targets over λ.
			testkit.Close(t, "λ", point.Lambda, lambdas[i], 1e-15)
			testkit.Close(t, "training score", point.Train, scoreOn(t, m, c.table.Gather(train)), 1e-6)
			testkit.Close(t, "held-out score", point.HeldOut, scoreOn(t, m, c.table.Gather(test)), 1e-6)
			scores = append(scores, point.HeldOut)
		}
		want := slices.Min(scores)
		if path.Larger {
			want = slices.Max(scores)
		}
		if scores[path.Best] != want {
			t.Errorf("the best of %v is said to be number %d", scores, path.Best)
		}
		if path.Points[1].Start != 1 || !(path.Points[2].Start < 1) || !(path.Points[0].Start < 1) {
			t.Errorf("residuals at the start: %v, %v, %v", path.Points[1].Start, path.Points[2].Start, path.Points[0].Start)
		}
	}
}

func scoreOn(t *testing.T, m *mercer.Model, table *data.Table) float64 {
	t.Helper()
	test, err := m.Test(background, table, compute.Options{})
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

func TestLandmarkPathRefuses(t *testing.T) {
	p, err := task.New(background, petals(30), petalSpec, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	m := methods.Falkon{Landmarks: nystrom.Options{Rank: 5}}
	for want, c := range map[string]struct {
		lambda, share float64
		score         string
	}{"λ = 0": {0, 0.2, ""}, "λ = +Inf": {math.Inf(1), 0.2, ""}, "cannot be left out": {1, 0, ""}, "share of 1 of 30": {1, 1, ""}, "not known": {1, 0.2, "luck"}} {
		m.Holdout = c.share
		if _, err := search.NewLandmarkPath(background, p, m, []float64{c.lambda}, c.score); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, it should say %q", err, want)
		}
	}
}
