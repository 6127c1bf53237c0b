package pipeline_test

import (
	"math"
	"strings"
	"testing"

	"mercer/gp"
	"mercer/gram"
	"mercer/internal/testkit"
	"mercer/pipeline"
	"mercer/prep"
)

// The probabilities of the file are those of the fit, agree with the label, are less
// certain than those of the mode, and ½ far away.
func TestLatentProbabilities(t *testing.T) {
	s := prep.Spec{Targets: []string{"kind"}, ID: "id", Weights: "weight"}
	p, err := pipeline.NewProblem(background, houses(60, 7), s, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.Fit(background, pipeline.GPC{Optimize: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := m.Report.(*gp.ClassReport)
	if r.Tuned == nil || !(r.LogEvidence >= r.Tuned.Start) {
		t.Errorf("%+v", r)
	}
	fresh := houses(30, 8)
	fresh.Columns[1].Numbers[0] = 1e6 // a house of 1 km²
	a := predict(t, m, fresh)
	again := reload(t, m)
	b := predict(t, again, fresh)
	// The file has the coefficients, from which the mode is computed again.
	testkit.CloseSlice(t, "probabilities from the file", b.Probabilities().RawMatrix().Data, a.Probabilities().RawMatrix().Data, 1e-10)
	q := a.Probabilities()
	for i := range q.RawMatrix().Rows {
		row := q.RawRowView(i)
		testkit.Close(t, "sum", row[0]+row[1], 1, 1e-12)
		if class := a.Class(i, 0); row[class] < 0.5 {
			t.Errorf("row %d is of class %d with probabilities %v", i, class, row)
		}
		if f := a.Values.At(i, 0); math.Abs(row[1]-0.5) > math.Abs(1/(1+math.Exp(-f))-0.5)+1e-14 {
			t.Errorf("row %d: averaging makes %v more certain than f = %v", i, row, f)
		}
	}
	testkit.Close(t, "far away", q.At(0, 0), 0.5, 1e-9)
	if _, err := again.Verify(background, gram.Options{}); err != nil {
		t.Error(err)
	}
}

func TestLatentRefuses(t *testing.T) {
	p, err := pipeline.NewProblem(background, petals(30), prep.Spec{Targets: []string{"kind"}}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Fit(background, pipeline.GPC{}, 1); err == nil || !strings.Contains(err.Error(), "labels") {
		t.Errorf("three labels: %v", err)
	}
}
