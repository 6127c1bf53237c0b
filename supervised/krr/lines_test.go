package krr_test

import (
	"testing"

	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
)

// What led to a residual stands behind it: nothing after one factorization, else the products by
// their precision.
func TestTheLineOfTheResidualSaysWhatLedToIt(t *testing.T) {
	for want, r := range map[string]krr.Report{
		"1e-13":                  {},
		"1e-13 after 3 products": {Iterations: 3, Precision: "double"},
		"1e-13 after 3 products in double precision that refine a factor in single precision":             {Iterations: 3, Precision: "single"},
		"1e-13 after 3 products in double and 20 in single precision":                                     {Iterations: 3, SingleProducts: 20},
		"1e-13 after 3 passes in double and 20 in single precision, by the factor of a sample of 50 rows": {Iterations: 3, SingleProducts: 20, Sample: 50},
	} {
		r.Residual, r.Train = 1e-13, &krr.Scores{}
		if got := lineOf(r.Lines(), "residual"); got.Text != want {
			t.Errorf("the residual is %q, not %q", got.Text, want)
		}
	}
}

// Scores are of an output each, leave-one-out scores behind those of the training rows.
func TestTheLinesOfScoresNameTheirOutput(t *testing.T) {
	r := krr.Report{Train: &krr.Scores{RMSE: []float64{1, 2}, R2: []float64{0.5, 0.25}},
		Point: &krr.Point{LOO: &krr.Scores{RMSE: []float64{3, 4}, R2: []float64{0.4, 0.2}}}}
	var got []model.Line
	for _, l := range r.Lines() {
		if l.Output > 0 {
			got = append(got, l)
		}
	}
	want := []model.Line{
		{Name: "train RMSE", Text: "1, R² 0.5", Output: 1}, {Name: "leave-one-out RMSE", Text: "3, R² 0.4", Output: 1},
		{Name: "train RMSE", Text: "2, R² 0.25", Output: 2}, {Name: "leave-one-out RMSE", Text: "4, R² 0.2", Output: 2},
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines are of an output, not %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d is %+v, not %+v", i, got[i], want[i])
		}
	}
}

// Of labels the report has the share of right decisions, in place of errors of their codes.
func TestTheLinesOfLabelsAreAccuracies(t *testing.T) {
	share := 0.75
	one := krr.Report{Train: &krr.Scores{RMSE: []float64{1}, R2: []float64{0.5}, Accuracy: []float64{0.9}}}
	three := krr.Report{Train: &krr.Scores{RMSE: []float64{1, 1, 1}, R2: []float64{0, 0, 0}, Accuracy: []float64{1, 1, 1}, Decided: &share}}
	if got, want := lineOf(one.Lines(), "train accuracy"), (model.Line{Name: "train accuracy", Text: "0.9", Output: 1}); got != want {
		t.Errorf("two labels: %+v, not %+v", got, want)
	}
	if got, want := lineOf(three.Lines(), "train accuracy"), (model.Line{Name: "train accuracy", Text: "0.75"}); got != want {
		t.Errorf("three labels: %+v, not %+v", got, want)
	}
}

func lineOf(lines []model.Line, name string) model.Line {
	for _, l := range lines {
		if l.Name == name {
			return l
		}
	}
	return model.Line{}
}
