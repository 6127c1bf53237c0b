package mercer_test

import (
	"fmt"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/tune"
)

// Every method of the registry that learns to predict refuses a target that it cannot learn before
// it computes anything, tuned or tested on splits, and names methods that can.
func TestEveryMethodRefusesATargetBeforeAnyWork(t *testing.T) {
	table := &data.Table{Source: "t.csv", Headed: true, Columns: []data.Column{
		{Name: "x", Kind: data.Numeric}, {Name: "label", Kind: data.Categorical}, {Name: "number", Kind: data.Numeric}}}
	for i := range 12 {
		table.Columns[0].Numbers = append(table.Columns[0].Numbers, float64(i*i%7))
		table.Columns[1].Strings = append(table.Columns[1].Strings, string(rune('a'+i%3)))
		table.Columns[2].Numbers = append(table.Columns[2].Numbers, float64(i))
	}
	worked := compute.Options{Progress: func(stage string, _, _ int64) { t.Errorf("it began with %s", stage) }}
	tested := 0
	for _, of := range methods.All {
		target, other := "", learner.LabelTarget
		switch of.Target {
		case learner.NumericTarget:
			target = "label"
		case learner.LabelTarget:
			target, other = "number", learner.NumericTarget
		default:
			continue
		}
		tested++
		p, _, err := prep.Fit(table, prep.Spec{Targets: []string{target}})
		if err != nil {
			t.Fatal(err)
		}
		var named string // a method that can
		for _, s := range methods.All {
			if s.Target == other {
				named = s.Name
			}
		}
		refused := func(err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), "target "+target+" holds") || !strings.Contains(err.Error(), named) {
				t.Errorf("%s on %s: %v", of.Name, target, err)
			}
		}
		refused(methods.CheckTargets(of.Name, p.Targets()))
		m, ok := learnerNamed(of.Name)
		if _, tunable := m.(learner.Tunable); !ok || !tunable {
			continue
		}
		o := search.Search{Options: tune.Options{Compute: worked}}
		_, _, _, err = search.Tune(background, table, prep.Spec{Targets: []string{target}}, "rbf(sigma=?)", m, o)
		refused(err)
		_, err = search.Assess(background, table, prep.Spec{Targets: []string{target}}, "rbf(sigma=?)", m, o, 3, nil, nil)
		refused(err)
	}
	if tested < 8 {
		t.Errorf("%d methods were tested", tested)
	}
}

// learnerNamed returns a method at its defaults.
func learnerNamed(name string) (learner.Learner, bool) {
	for _, m := range []learner.Learner{methods.SVR{}, methods.SVC{}, methods.KLR{}, methods.KFDA{}, methods.GPC{}, methods.Quantiles{}, methods.GP{}} {
		if m.Name() == name {
			return m, true
		}
	}
	return nil, false
}

// Numbers that nearly all differ are no labels, and a regression is named.
func TestNumbersThatNearlyAllDifferAreNoLabels(t *testing.T) {
	table := &data.Table{Source: "t.csv", Headed: true, Columns: []data.Column{{Name: "x", Kind: data.Numeric}, {Name: "y", Kind: data.Categorical}}}
	for i := range 60 {
		table.Columns[0].Numbers = append(table.Columns[0].Numbers, float64(i))
		table.Columns[1].Strings = append(table.Columns[1].Strings, fmt.Sprint(max(i, 1)))
	}
	_, _, err := prep.Fit(table, prep.Spec{Targets: []string{"y"}, Labels: true})
	if err == nil || !strings.Contains(err.Error(), "59 labels in 60 rows") || !strings.Contains(err.Error(), "svr") {
		t.Errorf("59 labels in 60 rows: %v", err)
	}
}
