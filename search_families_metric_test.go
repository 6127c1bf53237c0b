package mercer_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/tune"
)

// turnedWave is a table of five columns whose target is a wave along one direction, and noise.
func turnedWave(n int, seed uint64) *data.Table {
	r := rand.New(rand.NewPCG(seed, 5))
	columns := []data.Column{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"}, {Name: "y"}}
	for range n {
		at := 0.0
		for j := range 5 {
			v := r.NormFloat64()
			at += v * []float64{1, -1, 0.5, 0, 0}[j]
			columns[j].Numbers = append(columns[j].Numbers, v)
		}
		columns[5].Numbers = append(columns[5].Numbers, math.Sin(2*at)+0.05*r.NormFloat64())
	}
	return &data.Table{Source: "turned wave", Headed: true, Columns: columns}
}

// Where directions matter the kernel auto has a metric, and its score is no better than what new
// rows say, up to four standard errors of a mean of as many squares as rows judged.
func TestAutoLearnsMetrics(t *testing.T) {
	table, spec := turnedWave(500, 1), prep.Spec{Targets: []string{"y"}}
	wanted := search.Search{Options: tune.Options{Seed: 1}}
	p, m, tuned, err := search.Tune(background, table, spec, search.Auto, methods.KRR{}, wanted)
	if err != nil {
		t.Fatal(err)
	}
	best := tuned.Families[0]
	if !strings.HasSuffix(best.Family, "metric") || !strings.HasPrefix(p.Kernel(), "mahalanobis(") || best.Score != tuned.Best.Score {
		t.Fatalf("the best is %s, %s, with %v; of the search %v", best.Family, p.Kernel(), best.Score, tuned.Best.Score)
	}
	plain := math.Inf(1)
	for _, e := range tuned.Families {
		if !strings.HasSuffix(e.Family, "metric") {
			plain = min(plain, e.Score)
		}
	}
	if !(best.Score < plain/2) {
		t.Errorf("score %v with a metric, %v without", best.Score, plain)
	}
	if !strings.Contains(strings.Join(tuned.Warnings, "\n"), "that the metric had not seen") {
		t.Errorf("warnings %q", tuned.Warnings)
	}
	model, err := mercer.Fit(background, p, m, 1)
	if err != nil {
		t.Fatal(err)
	}
	prediction, err := model.Test(background, turnedWave(2000, 2), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := prediction.Scores()
	if err != nil {
		t.Fatal(err)
	}
	mse := scores[0].RMSE * scores[0].RMSE
	if spread := 4 * math.Sqrt(2.0/100); !(math.Abs(best.Score/mse-1) < spread) {
		t.Errorf("score %v, and new rows have %v", best.Score, mse)
	}
}

// Metrics have the squares of columns to learn: few rows are not asked for them.
func TestAutoLeavesMetricsOut(t *testing.T) {
	_, _, tuned, err := search.Tune(background, steps(120), prep.Spec{Targets: []string{"y"}}, search.Auto, methods.KRR{}, search.Search{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range tuned.Families {
		if strings.HasSuffix(e.Family, "metric") {
			t.Errorf("%s was tried on %d rows", e.Family, e.Rows)
		}
	}
}
