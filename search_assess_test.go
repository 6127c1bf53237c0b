package mercer_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/tune"
)

// TestAssess: every split is tuned and fitted on its training rows alone, so the error
// of a split is that of a model which never saw the test rows.
func TestAssess(t *testing.T) {
	table := houses(60, 3)
	splits, err := tune.KFold(60, 4, 7)
	if err != nil {
		t.Fatal(err)
	}
	wanted := search.Search{Options: tune.Options{Trials: 3}}
	told := 0
	a, err := search.Assess(background, table, spec, "rbf(sigma=?)", methods.KRR{}, wanted, 0, splits, func(int, int, search.AssessedSplit) { told++ })
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Splits) != 4 || told != 4 {
		t.Fatalf("%d splits assessed, told of %d", len(a.Splits), told)
	}
	sum := 0.0
	for k, s := range a.Splits {
		sum += s.Scores[0].RMSE / 4
		// Another target on the test rows must not change what was learned.
		changed := houses(60, 3)
		price, _ := changed.Column("price")
		for _, row := range splits[k].Test {
			price.Numbers[row] += 1000
		}
		again, err := search.Assess(background, changed, spec, "rbf(sigma=?)", methods.KRR{}, wanted, 0, splits[k:k+1], nil)
		if err != nil {
			t.Fatal(err)
		}
		if again.Splits[0].Kernel != s.Kernel || !reflect.DeepEqual(again.Splits[0].Best, s.Best) {
			t.Errorf("split %d learned %s, %v; with other test targets %s, %v", k, s.Kernel, s.Best, again.Splits[0].Kernel, again.Splits[0].Best)
		}
		if again.Splits[0].Scores[0].RMSE < 900 {
			t.Errorf("split %d: the error does not see its own test targets: %v", k, again.Splits[0].Scores[0].RMSE)
		}
	}
	testkit.Close(t, "mean", a.Mean, sum, 1e-12)
	if !(a.StandardError > 0) || math.IsInf(a.StandardError, 0) {
		t.Errorf("standard error %v", a.StandardError)
	}
}

// TestTunePerColumn: with one sigma per column the kernel lists as many as there are
// features, in any expression.
func TestTunePerColumn(t *testing.T) {
	t.Parallel()
	table := houses(50, 3)
	wanted := search.Search{Ranges: search.Ranges{PerColumn: true}, Options: tune.Options{Seed: 1}}
	p, _, tuned, err := search.Tune(background, table, spec, "rbf(sigma=?)[size,age] + linear[kind]", methods.KRR{}, wanted)
	if err != nil {
		t.Fatal(err)
	}
	if len(tuned.Best.Values) != 3 || tuned.Parameters[0].Name != "sigma[size]" || tuned.Parameters[1].Name != "sigma[age]" {
		t.Errorf("the parameters are %+v", tuned.Parameters)
	}
	if p.Kernel() != tuned.Kernel || !strings.HasPrefix(tuned.Kernel, "rbf(sigma=[") {
		t.Errorf("tuned %s, the problem has %s", tuned.Kernel, p.Kernel())
	}
	if _, _, _, err := search.Tune(background, table, spec, "rbf(sigma=?)", methods.KRR{}, search.Search{Splits: search.Splits{Folds: 3, File: "x"}}); err == nil {
		t.Error("folds and a file of splits were both accepted")
	}
}
