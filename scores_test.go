package mercer_test

import (
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
)

// TestScores: a numeric target has errors, a target with labels an accuracy, both in
// one model.
func TestScores(t *testing.T) {
	table := houses(60, 3)
	s := prep.Spec{Targets: []string{"kind", "price"}, Drop: []string{"weight", "id"}}
	m := fit(t, table, s, "rbf(sigma=median)", krr.Options{Lambda: 1e-4})
	p, err := m.Test(background, table, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := p.Scores()
	if err != nil {
		t.Fatal(err)
	}
	if len(scores) != 2 || scores[0].Target != "kind" || scores[1].Target != "price" {
		t.Fatalf("scores of kind and price: %+v", scores)
	}
	wrong := 0
	kind, _ := table.Column("kind")
	for i, label := range kind.Strings {
		if p.Label(i, 0) != label {
			wrong++
		}
	}
	if scores[0].Errors != wrong {
		t.Errorf("%d errors, counted %d", scores[0].Errors, wrong)
	}
	testkit.Close(t, "accuracy", scores[0].Accuracy, 1-float64(wrong)/60, 1e-15)
	testkit.Close(t, "RMSE", scores[1].RMSE, m.Report.(*krr.Report).Train.RMSE[1], 1e-9)
	if scores[1].LabelScores != nil {
		t.Error("a numeric target has an accuracy")
	}
	if p.FirstNumeric() != 1 || p.Label(0, 1) != "" {
		t.Errorf("the first numeric output is %d, its label %q", p.FirstNumeric(), p.Label(0, 1))
	}
}

// TestScoresNeedTargets: predictions for rows without targets cannot be scored.
func TestScoresNeedTargets(t *testing.T) {
	table := houses(30, 3)
	m := fit(t, table, spec, "rbf(sigma=1)", krr.Options{Lambda: 1e-3})
	if _, err := predict(t, m, table).Scores(); err == nil {
		t.Error("scores without targets")
	}
}
