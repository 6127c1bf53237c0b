package mercer_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/task"
)

// TestFalkonTellsClassesOneAgainstTheRest: three labels are the three functions that tell
// two, of which the largest wins and which give no probabilities; the logistic loss gives
// those of two labels, and they agree with the label.
func TestFalkonTellsClassesOneAgainstTheRest(t *testing.T) {
	table := petals(84)
	for _, of := range []loss.Loss{nil, loss.Logistic{}, loss.SquaredHinge{}} {
		method := methods.Falkon{Options: falkon.Options{Lambda: 1e-2, Loss: of, Stop: falkon.Stop{Tolerance: 1e-9}}, Landmarks: nystrom.Options{Rank: 30}, OneVsRest: true}
		p, m := learnPetals(t, table, petalSpec, petalKernel, method)
		got := predict(t, m, table)
		n, outputs := got.Values.Dims()
		if outputs != 3 || got.Probabilities() != nil {
			t.Fatalf("%v: %d outputs, probabilities %v", of, outputs, got.Probabilities())
		}
		for i := range n {
			if row := got.Values.RawRowView(i); got.Class(i, 0) != floats.MaxIdx(row) {
				t.Errorf("%v: row %d with outputs %v is of class %d", of, i+1, row, got.Class(i, 0))
			}
		}
		for c, label := range p.Prep.Targets()[0].Labels {
			against, alone := learnPetals(t, against(table, label), petalSpec, petalKernel, method)
			one, sign := predict(t, alone, table), 1.0
			if against.Prep.Targets()[0].Labels[0] == label {
				sign = -1
			}
			for i := range n {
				// The gradient that is left moves values by 1e-9·k(x, x)/λ.
				testkit.Close(t, label, got.Values.At(i, c), sign*one.Values.At(i, 0), 1e-6)
				if q := one.Probabilities(); q != nil && one.Class(i, 0) != floats.MaxIdx(q.RawRowView(i)) {
					t.Errorf("%v: row %d with probabilities %v is of class %d", of, i+1, q.RawRowView(i), one.Class(i, 0))
				}
			}
			if _, logistic := of.(loss.Logistic); logistic != (one.Probabilities() != nil) {
				t.Errorf("%v: probabilities of two labels are %v", of, one.Probabilities())
			}
		}
	}
}

// TestFalkonTellsClassesTogether: the logistic loss of three labels is that of kernel logistic
// regression where all rows are landmarks, with its probabilities, and not that of each label
// against the rest.
func TestFalkonTellsClassesTogether(t *testing.T) {
	table := petals(84)
	method := methods.Falkon{Options: falkon.Options{Lambda: 1e-2, Loss: loss.Logistic{}, Stop: falkon.Stop{Tolerance: 1e-10}}, Landmarks: nystrom.Options{Rank: 84, Scheme: nystrom.Uniform}}
	_, m := learnPetals(t, table, petalSpec, petalKernel, method)
	_, exact := learnPetals(t, table, petalSpec, petalKernel, methods.KLR{Options: klr.Options{Lambda: 1e-2}})
	got, want := predict(t, m, table), predict(t, exact, table)
	q, p := got.Probabilities(), want.Probabilities()
	for i := range table.Rows() {
		testkit.CloseSlice(t, "probabilities", q.RawRowView(i), p.RawRowView(i), 1e-5)
		if got.Class(i, 0) != floats.MaxIdx(q.RawRowView(i)) {
			t.Errorf("row %d with probabilities %v is of class %d", i+1, q.RawRowView(i), got.Class(i, 0))
		}
	}
}

// against returns a table in which all labels but one are "rest".
func against(table *data.Table, label string) *data.Table {
	out := *table
	out.Columns = slices.Clone(table.Columns)
	kind := &out.Columns[len(out.Columns)-1]
	kind.Strings = slices.Clone(kind.Strings)
	for i, s := range kind.Strings {
		if s != label {
			kind.Strings[i] = "rest"
		}
	}
	return &out
}

// TestFalkonPlansLabels: three labels are three columns of the passes, one against the rest or
// together.
func TestFalkonPlansLabels(t *testing.T) {
	table := petals(84)
	method := methods.Falkon{Options: falkon.Options{Lambda: 1e-2, Loss: loss.Logistic{}}, Landmarks: nystrom.Options{Rank: 20}}
	plan := func(of *data.Table) compute.Cost {
		t.Helper()
		p, err := task.New(background, of, petalSpec, petalKernel)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := learner.Plan(background, p, method)
		if err != nil {
			t.Fatal(err)
		}
		return plan.Stages[len(plan.Stages)-2] // the passes
	}
	numbers, err := task.New(background, table, prep.Spec{Targets: []string{"x"}, Drop: []string{"weight", "kind"}}, petalKernel)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := learner.Plan(background, numbers, method); err == nil {
		t.Error("a plan tells numbers apart as labels, which a fit refuses")
	}
	three, two := plan(table), plan(against(table, "inner"))
	if three.Flops < 2*two.Flops || three.Memory <= two.Memory {
		t.Errorf("passes for three labels %+v, for two %+v", three, two)
	}
}
