package mercer_test

import (
	"fmt"
	"math"
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
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// waves is a table of four columns and a target, sin(2b + d).
func waves(t *testing.T, n int) *data.Table {
	rng := testkit.Rand(t, 71)
	table := &data.Table{Source: "waves"}
	for _, name := range []string{"a", "b", "c", "d", "y"} {
		table.Columns = append(table.Columns, data.Column{Name: name, Kind: data.Numeric, Numbers: make([]float64, n)})
	}
	for i := range n {
		for j := range 4 {
			table.Columns[j].Numbers[i] = 2*rng.Float64() - 1
		}
		table.Columns[4].Numbers[i] = math.Sin(2*table.Columns[1].Numbers[i] + table.Columns[3].Numbers[i])
	}
	return table
}

var waveSpec = prep.Spec{Targets: []string{"y"}}

func falkonOn(landmarks int) methods.Falkon {
	return methods.Falkon{Options: falkon.Options{}, Landmarks: nystrom.Options{Rank: landmarks, Scheme: nystrom.Uniform}}
}

// The model of a learned metric predicts from the columns as they are, as the best round did on
// the rows left out, or better for having learned from these, too.
func TestTuneLearnsAMetric(t *testing.T) {
	table := waves(t, 150)
	o := search.Search{Splits: search.Splits{Folds: 3}, Metric: search.Metric{Shape: mahalanobis.Full, Rounds: 2}, Options: tune.Options{Trials: 3}}
	p, m, tuned, err := search.Tune(background, table, waveSpec, "rbf(sigma=?)", falkonOn(40), o)
	if err != nil {
		t.Fatal(err)
	}
	found := tuned.Metric
	if found.Best == 0 || found.Judged != 30 || found.Judge != "rmse" || !strings.HasPrefix(tuned.Kernel, "mahalanobis(of=rbf(") || p.Kernel() != tuned.Kernel {
		t.Fatalf("kernel %s, metric %+v", tuned.Kernel, found.Report)
	}
	if r := found.Rounds[found.Best].Relevance; r[1]+r[3] < 0.9 {
		t.Errorf("relevance %v of %v", r, found.Columns)
	}
	if !(found.Of(found.Best) < found.Of(0)/3) {
		t.Errorf("rmse %v, and %v without the metric", found.Of(found.Best), found.Of(0))
	}
	model, err := mercer.Fit(background, p, m, 1)
	if err != nil {
		t.Fatal(err)
	}
	prediction, err := model.Test(background, waves(t, 150), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := prediction.Scores()
	if err != nil {
		t.Fatal(err)
	}
	if scores[0].RMSE > 2*found.Of(found.Best) {
		t.Errorf("rmse %v of the model, %v of the round", scores[0].RMSE, found.Of(found.Best))
	}
}

// Rows that judge are not learned from: their targets change no metric. Nor does the number of
// workers.
func TestTheRowsThatJudgeDoNotMakeTheMetric(t *testing.T) {
	t.Parallel()
	table := waves(t, 100)
	splits, err := tune.KFold(100, 5, 2) // the seed of the search and two
	if err != nil {
		t.Fatal(err)
	}
	learned := func(table *data.Table, workers int) string {
		wanted := search.Search{Metric: search.Metric{Shape: mahalanobis.Diagonal, Rounds: 1}}
		wanted.Options.Compute.Workers = workers
		_, _, tuned, err := search.Tune(background, table, waveSpec, "rbf(sigma=?)", methods.KRR{}, wanted)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(tuned.Metric.Rounds[1].Relevance)
	}
	want := learned(table, 1)
	if got := learned(table, 3); got != want {
		t.Errorf("three workers: %s, one: %s", got, want)
	}
	for _, i := range splits[4].Test {
		table.Columns[4].Numbers[i] *= -3
	}
	if got := learned(table, 1); got != want {
		t.Errorf("relevance %s after other targets of the rows that judge, %s before", got, want)
	}
	table.Columns[4].Numbers[splits[4].Train[0]] *= -3
	if got := learned(table, 1); got == want {
		t.Error("the target of a row that is learned from changes nothing")
	}
}

func TestMetricOfLabels(t *testing.T) {
	o := search.Search{Splits: search.Splits{Folds: 3}, Metric: search.Metric{Shape: mahalanobis.Diagonal, Rounds: 1}, Options: tune.Options{Trials: 2}, Ranges: search.Ranges{Grid: map[string][]float64{"C": {1, 10}}}}
	_, _, tuned, err := search.Tune(background, petals(84), petalSpec, "rbf(sigma=?)", methods.SVC{}, o)
	if err != nil {
		t.Fatal(err)
	}
	if m := tuned.Metric; m.Judge != "accuracy" || m.Of(0) < 0.5 || m.Of(0) > 1 {
		t.Errorf("%+v", m)
	}
}

func TestMetricRefuses(t *testing.T) {
	table, some := waves(t, 40), search.Metric{Shape: mahalanobis.Full}
	for want, c := range map[string]struct {
		kernel string
		o      search.Search
	}{
		"chooses columns":       {"rbf(sigma=?)[a]", search.Search{}},
		"choose them outside":   {"rbf(sigma=1)[a] + rbf(sigma=?)", search.Search{Splits: search.Splits{Folds: 2}}},
		"give a number of":      {"rbf(sigma=?)", search.Search{Splits: search.Splits{File: "splits"}}},
		"has no gradient in":    {"rbf(sigma=?) + cosine", search.Search{Splits: search.Splits{Folds: 2}}},
		"landmarks or features": {"rbf(sigma=?)", search.Search{Approximation: task.Approximation{Landmarks: &nystrom.Options{Rank: 3}}}},
	} {
		c.o.Metric, c.o.Options.Trials = some, 1
		if _, _, _, err := search.Tune(background, table, waveSpec, c.kernel, falkonOn(20), c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", c.kernel, err, want)
		}
	}
}
