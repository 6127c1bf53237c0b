package mercer_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// TestTuneIsRefitting: the score of a trial is the mean over the splits of the
// accuracy of a model that was fitted to the training rows, by another way.
func TestTuneIsRefitting(t *testing.T) {
	table := petals(84)
	wanted := search.Search{Splits: search.Splits{Folds: 3}, Ranges: search.Ranges{Grid: map[string][]float64{"C": {1, 10}}}, Options: tune.Options{Trials: 2, Seed: 5}}
	for _, method := range []learner.Learner{methods.SVC{}, methods.SVC{Options: svm.Options{Scheme: svm.OneVsRest}, Balanced: true}} {
		p, best, tuned, err := search.Tune(background, table, petalSpec, "rbf(sigma=?)", method, wanted)
		if err != nil {
			t.Fatal(err)
		}
		if len(tuned.Trials) != 4 || tuned.Splits != 3 || tuned.Score != "accuracy" {
			t.Fatalf("tuned %+v", tuned)
		}
		var classes []int
		for i := range p.Rows.X.Len() {
			classes = append(classes, p.Prep.Targets()[0].Class(p.Rows.Y.RawRowView(i)))
		}
		splits, err := tune.StratifiedKFold(classes, 3, 5)
		if err != nil {
			t.Fatal(err)
		}
		// The preparation is raw, so that training rows alone are task.PreparedTable as all are.
		right, total := 0.0, 0.0
		for _, s := range splits {
			part, err := task.New(background, table.Gather(s.Train), petalSpec, tuned.Kernel)
			if err != nil {
				t.Fatal(err)
			}
			m, err := mercer.Fit(background, part, best, 1)
			if err != nil {
				t.Fatal(err)
			}
			test, err := m.Test(background, table.Gather(s.Test), compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			scores, err := test.Scores()
			if err != nil {
				t.Fatal(err)
			}
			right, total = right+scores[0].Accuracy, total+1
		}
		if d := right/total - tuned.Best.Score; math.Abs(d) > 1e-12 {
			t.Errorf("refitting scores %v, the search said %v", right/total, tuned.Best.Score)
		}
	}
}

// TestTuneMethods: every tunable method finds something better than guessing, by
// its own scores, the same after a break.
func TestTuneMethods(t *testing.T) {
	t.Parallel()
	table := petals(105)
	numbers := prep.Spec{Targets: []string{"y"}, Drop: []string{"kind", "weight"}}
	journal := filepath.Join(t.TempDir(), "trials")
	trials := 6
	if testing.Short() {
		trials = 3
	}
	for name, c := range map[string]struct {
		spec   prep.Spec
		method learner.Learner
		score  string
		enough func(v float64) bool
	}{
		"svc":      {petalSpec, methods.SVC{}, "balanced", func(v float64) bool { return v > 0.6 }},
		"nu-svc":   {petalSpec, methods.SVC{Options: svm.Options{Type: svm.NuSVC}}, "f1", func(v float64) bool { return v > 0.6 }},
		"klr":      {petalSpec, methods.KLR{Options: klr.Options{Lambda: 1}}, "log-loss", func(v float64) bool { return v < 0.9 }},
		"brier":    {petalSpec, methods.KLR{Options: klr.Options{Lambda: 1}}, "brier", func(v float64) bool { return v < 0.6 }},
		"kfda":     {petalSpec, methods.KFDA{Options: kfda.Options{Lambda: 1}}, "log-loss", func(v float64) bool { return v < 0.9 }},
		"means":    {petalSpec, methods.Barycentre{}, "balanced", func(v float64) bool { return v > 0.6 }},
		"svr":      {numbers, methods.SVR{}, "rmse", func(v float64) bool { return v < 2 }},
		"nu-svr":   {numbers, methods.SVR{Options: svm.Options{Type: svm.NuSVR}}, "mae", func(v float64) bool { return v < 2 }},
		"auc rest": {petalSpec, methods.SVC{Options: svm.Options{Scheme: svm.OneVsRest}}, "auc", func(v float64) bool { return v > 0.7 }},
	} {
		wanted := search.Search{Splits: search.Splits{Folds: 3}, Score: c.score, Options: tune.Options{Strategy: tune.Random, Trials: trials, Seed: 2}}
		if name == "svc" {
			wanted.Journal = journal
		}
		_, _, tuned, err := search.Tune(background, table, c.spec, "rbf(sigma=?)", c.method, wanted)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !c.enough(tuned.Best.Score) || tuned.Score != c.score {
			t.Errorf("%s: %s of %v", name, tuned.Score, tuned.Best.Score)
		}
		if name != "svc" {
			continue
		}
		_, _, again, err := search.Tune(background, table, c.spec, "rbf(sigma=?)", c.method, wanted)
		if err != nil {
			t.Fatal(err)
		}
		if again.Resumed != trials || !reflect.DeepEqual(again.Trials, tuned.Trials) {
			t.Errorf("%d trials resumed", again.Resumed)
		}
		wanted.Score = "accuracy"
		if _, _, _, err := search.Tune(background, table, c.spec, "rbf(sigma=?)", c.method, wanted); err == nil || !strings.Contains(err.Error(), "another search") {
			t.Errorf("the journal of another score: %v", err)
		}
	}
}

// TestTuneFindsAnAdditiveFunction: a sum of functions of one column is learned from few rows by the
// kernel of such sums, and not by one in which all columns are near or far together.
func TestTuneFindsAnAdditiveFunction(t *testing.T) {
	t.Parallel()
	r, table := rand.New(rand.NewPCG(3, 5)), &data.Table{Source: "additive", Headed: true, Columns: make([]data.Column, 7)}
	for range 90 {
		y := 0.0
		for j := range 6 {
			x := 2*r.Float64() - 1
			y += math.Sin(3*x) * float64(1-2*(j%2))
			table.Columns[j].Numbers = append(table.Columns[j].Numbers, x)
		}
		table.Columns[6].Numbers = append(table.Columns[6].Numbers, y+0.1*r.NormFloat64())
	}
	for j := range table.Columns {
		table.Columns[j].Name = string(rune('a' + j))
	}
	errors := map[string]float64{}
	for _, kernel := range []string{"rbf(sigma=?)", "anova(of=rbf(sigma=?), degree=1)", "anova(of=rbf(sigma=?), degree=2)", "wendland(k=1, radius=?)"} {
		wanted := search.Search{Criterion: tune.CV, Splits: search.Splits{Folds: 3}, Score: "rmse", Options: tune.Options{Seed: 2}}
		_, _, tuned, err := search.Tune(background, table, prep.Spec{Targets: []string{"g"}}, kernel, methods.KRR{}, wanted)
		if err != nil {
			t.Fatalf("%s: %v", kernel, err)
		}
		errors[kernel] = tuned.Best.Score
		t.Logf("%s: rmse %.3f, %s", kernel, tuned.Best.Score, tuned.Kernel)
	}
	if one, all := errors["anova(of=rbf(sigma=?), degree=1)"], errors["rbf(sigma=?)"]; !(one < 0.5*all) {
		t.Errorf("a sum over columns errs by %.3g, all columns together by %.3g", one, all)
	}
}

// TestNestedNeverSeesItsTestRows: with a target of coin throws nested cross-validation
// is no better than guessing, however many candidates are tried.
func TestNestedNeverSeesItsTestRows(t *testing.T) {
	t.Parallel()
	table := petals(120)
	kinds := table.Columns[3].Strings
	for i := range kinds {
		kinds[i] = []string{"heads", "tails"}[(i*i/3+i/5)%2]
	}
	wanted := search.Search{Splits: search.Splits{Folds: 3}, Options: tune.Options{Trials: 3, Seed: 4}}
	a, err := search.Assess(background, table, petalSpec, "rbf(sigma=?)", methods.SVC{}, wanted, 4, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Splits) != 4 || a.Splits[0].Train != 90 || a.Splits[0].Test != 30 {
		t.Fatalf("assessment %+v", a)
	}
	// 120 throws: one standard deviation is 0.046.
	if math.Abs(a.Mean-0.5) > 0.15 {
		t.Errorf("the accuracy on coin throws is %v ± %v", a.Mean, a.StandardError)
	}
}

// TestGroups: a column of groups is no feature, and rows of one group stay together. Here
// the groups tell the label, which rows of other groups do not.
func TestGroups(t *testing.T) {
	table := petals(90)
	var groups data.Column
	groups.Name = "patient"
	for i := range 90 {
		groups.Numbers = append(groups.Numbers, float64(i/6))
	}
	table.Columns = append(table.Columns, groups)
	p, _, tuned, err := search.Tune(background, table, petalSpec, "rbf(sigma=?)", methods.SVC{},
		search.Search{Splits: search.Splits{Group: "patient", Folds: 5}, Ranges: search.Ranges{Grid: map[string][]float64{"C": {1}}}, Options: tune.Options{Trials: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if names, _ := p.Prep.Features(); slices.Contains(names, "patient") || tuned.Splits != 5 {
		t.Errorf("features %q, %d splits", names, tuned.Splits)
	}
}

func TestTuneRefuses(t *testing.T) {
	table := petals(60)
	for name, c := range map[string]struct {
		method learner.Learner
		search search.Search
		want   string
	}{
		"method":     {methods.OneClass{}, search.Search{}, "one-class"},
		"score":      {methods.SVC{}, search.Search{Score: "elegance"}, "elegance"},
		"no score":   {methods.SVC{}, search.Search{Score: "log-loss", Ranges: search.Ranges{Grid: map[string][]float64{"C": {1}}}, Options: tune.Options{Trials: 1}}, "not defined"},
		"grid":       {methods.SVC{}, search.Search{Ranges: search.Ranges{Grid: map[string][]float64{"gamma": {1}}}}, `no parameter "gamma"`},
		"two splits": {methods.SVC{}, search.Search{Splits: search.Splits{Group: "weight", Forward: true}}, "exclude each other"},
		"group":      {methods.SVC{}, search.Search{Splits: search.Splits{Group: "patient"}}, "patient"},
	} {
		if _, _, _, err := search.Tune(background, table, petalSpec, "rbf(sigma=?)", c.method, c.search); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
