package mercer_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/learner/methods"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/search"
	"example.org/mercer/tune"
)

// divided searches on some of the rows, and lets a tree learn from all of them.
func divided(t *testing.T, table *data.Table, spec prep.Spec, leaves int) (*mercer.Model, *search.Tuned) {
	t.Helper()
	p, m, tuned, err := search.Tune(background, table, spec, search.Auto, methods.KRR{}, search.Search{Rungs: [2]int{150, 300}, Leaves: leaves, Options: tune.Options{Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	machine, ok := m.(distance.RFM)
	if !ok || machine.Leaves != leaves || tuned.Leaves != leaves || tuned.Method != "rfm" {
		t.Fatalf("the search found %+v, and says %q with leaves of %d", m, tuned.Method, tuned.Leaves)
	}
	of := learner.Calibrated{Learner: m, Conformal: true}
	if target := p.Prep.Targets()[0]; target.Labels != nil {
		of.Probabilities = calibrate.Platt
	}
	model, err := mercer.Fit(background, p, of, 1)
	if err != nil {
		t.Fatal(err)
	}
	return model, tuned
}

// Beyond the rows of a leaf the best kernel of fewer rows goes to the leaves of a tree, which
// learns from all rows. Intervals are from the rows that it has left out: of 2,000 new rows nine
// tenths lie in them, up to four standard errors, of which those of the 240 rows left out are the
// larger.
func TestAutoDividesRowsByATree(t *testing.T) {
	model, tuned := divided(t, turnedWave(1200, 1), prep.Spec{Targets: []string{"y"}}, 500)
	if form, _ := model.Form(); form != "tree" || !strings.Contains(strings.Join(tuned.Warnings, "\n"), "learns from all 1200") {
		t.Errorf("a model of the form %q; warnings %q", form, tuned.Warnings)
	}
	fresh := turnedWave(2000, 2)
	prediction, err := model.Test(background, fresh, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := prediction.Scores()
	if err != nil {
		t.Fatal(err)
	}
	if best := tuned.Best.Score; !(scores[0].RMSE*scores[0].RMSE < best) {
		t.Errorf("mean squared error %v of all rows, %v of 300", scores[0].RMSE*scores[0].RMSE, best)
	}
	lo, hi, err := model.Bounds(prediction, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	inside := 0.0
	for i, y := range fresh.Columns[5].Numbers {
		if lo[i] <= y && y <= hi[i] {
			inside++
		}
	}
	explains(t, model, prediction)
	spread := 4 * math.Sqrt(0.9*0.1*(1.0/240+1.0/2000))
	if share := inside / 2000; !(math.Abs(share-0.9) < spread) {
		t.Errorf("%v of new rows lie in intervals for 0.9", share)
	}
}

// explains makes sure that the reasons of a tree agree with what it predicts: Shapley values add up
// to the prediction, and gradients are small along the columns that the target does not know.
func explains(t *testing.T, model *mercer.Model, p *outcome.Prediction) {
	t.Helper()
	e := mercer.ExplainOptions{Rows: []int{1, 2, 3}, Samples: 400, Seed: 1}
	shares, err := model.Shapley(background, p, e, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range shares.Rows {
		if want := p.Values.At(i, 0); !(math.Abs(row.Prediction-want) < 1e-9) {
			t.Errorf("row %d: the shares add up to %v, and the prediction is %v", i+1, row.Prediction, want)
		}
	}
	e.Rows = nil
	slopes, err := model.Gradients(background, p, e, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	size := map[string]float64{}
	for _, f := range slopes.Outputs[0].Features {
		size[f.Name] = f.Square
	}
	if !(size["a"] > 10*size["d"]) || !(size["b"] > 10*size["e"]) {
		t.Errorf("mean squares of the slopes: %v", size)
	}
}

// Labels have probabilities and sets from the rows that a tree has left out.
func TestATreeOfLabelsHasSets(t *testing.T) {
	wave := turnedWave(900, 3)
	y := &wave.Columns[5]
	for _, v := range y.Numbers {
		y.Strings = append(y.Strings, map[bool]string{true: "high", false: "low"}[v > 0.2])
	}
	y.Kind, y.Numbers = data.Text, nil
	model, _ := divided(t, wave, prep.Spec{Targets: []string{"y"}}, 400)
	prediction, err := model.Test(background, wave, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sets, err := model.Sets(prediction, 0.9, false)
	if err != nil {
		t.Fatal(err)
	}
	inside := 0.0
	for i, set := range sets {
		if slices.Contains(set, y.Strings[i]) {
			inside++
		}
	}
	// The rows are those that the model has learned from, 180 of which were left out before.
	if share := inside / 900; !(share > 0.9-4*math.Sqrt(0.9*0.1/180)) {
		t.Errorf("%v of the rows lie in sets for 0.9", share)
	}
	if again := reload(t, model); again.Conformal() == nil {
		t.Error("the file has lost the conformal scores")
	} else if same, err := again.Sets(prediction, 0.9, false); err != nil || !slices.EqualFunc(sets, same, slices.Equal) {
		t.Errorf("sets of the file differ, %v", err)
	}
}

// A tree divides vectors with one target, along a path of λ.
func TestLeavesAreRefused(t *testing.T) {
	table := turnedWave(200, 1)
	for what, c := range map[string]struct {
		m    learner.Learner
		spec prep.Spec
		want string
	}{
		"another method":  {methods.KLR{}, prep.Spec{Targets: []string{"y"}}, "which method \"klr\" has not"},
		"several targets": {methods.KRR{}, prep.Spec{Targets: []string{"y", "e"}}, "with one target"},
	} {
		_, _, _, err := search.Tune(background, table, c.spec, search.Auto, c.m, search.Search{Leaves: 100})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", what, err, c.want)
		}
	}
}
