package mercer_test

import (
	"strings"
	"testing"

	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/tune"
)

// What is learned from rows without the highest label, here those before the last part in
// the order of time, would have fewer outputs than the whole.
func TestLogisticFoldWithoutALabel(t *testing.T) {
	table := petals(60)
	for i := range 50 {
		if table.Columns[3].Strings[i] == "outer" {
			table.Columns[3].Strings[i] = "inner"
		}
	}
	_, _, _, err := search.Tune(background, table, prep.Spec{Targets: []string{"kind"}}, "rbf(sigma=1)", methods.KLR{Options: klr.Options{Lambda: 0.1}},
		search.Search{Splits: search.Splits{Folds: 3, Forward: true}, Ranges: search.Ranges{Grid: map[string][]float64{"lambda": {0.1}}}, Options: tune.Options{Trials: 1}})
	if err == nil || !strings.Contains(err.Error(), "of the 3 labels of target kind") {
		t.Errorf("the error is %v, want one that counts the labels", err)
	}
}
