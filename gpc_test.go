package mercer_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/mercer"
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// The probabilities of the file are those of the fit, agree with the label, are less
// certain than those of the mode, and ½ far away.
func TestLatentProbabilities(t *testing.T) {
	s := prep.Spec{Targets: []string{"kind"}, ID: "id", Weights: "weight"}
	p, err := task.New(background, houses(60, 7), s, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, methods.GPC{Optimize: true}, 1)
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
	if _, err := again.Verify(background, compute.Options{}); err != nil {
		t.Error(err)
	}
}

// Three labels: the label has the largest probability, the file says the same, and a search
// by cross-validation scores what the model would say of the rows that were left out.
func TestLatentOfThreeLabels(t *testing.T) {
	t.Parallel()
	s := prep.Spec{Targets: []string{"kind"}}
	p, err := task.New(background, petals(45), s, "4*rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mercer.Fit(background, p, learner.Calibrated{Learner: methods.GPC{}, Conformal: true}, 1)
	if err != nil {
		t.Fatal(err)
	}
	fresh := petals(60)
	a, again := predict(t, m, fresh), reload(t, m)
	b, q := predict(t, again, fresh), a.Probabilities()
	testkit.CloseSlice(t, "probabilities from the file", b.Probabilities().RawMatrix().Data, q.RawMatrix().Data, 1e-9)
	rows, classes := q.Dims()
	if classes != 3 || len(a.Outputs) != 3 || m.Report.(*gp.ClassReport).Classes != 3 {
		t.Fatalf("%d probabilities, outputs %q, %+v", classes, a.Outputs, m.Report)
	}
	for i := range rows {
		row := q.RawRowView(i)
		testkit.Close(t, "sum", row[0]+row[1]+row[2], 1, 1e-12)
		if row[a.Class(i, 0)] != max(row[0], row[1], row[2]) {
			t.Errorf("row %d is of class %d with probabilities %v", i, a.Class(i, 0), row)
		}
	}
	sets, err := again.Sets(b, 0.9, false)
	if err != nil || len(sets) != rows {
		t.Errorf("%d sets, %v", len(sets), err)
	}
	if _, err := again.Verify(background, compute.Options{}); err != nil {
		t.Error(err)
	}
	_, method, tuned, err := search.Tune(background, petals(45), s, "rbf(sigma=?)", methods.GPC{},
		search.Search{Splits: search.Splits{Folds: 3}, Score: "log-loss", Options: tune.Options{Strategy: tune.Random, Trials: 4}})
	if err != nil {
		t.Fatal(err)
	}
	if method.Name() != "gpc" || !(tuned.Best.Score < math.Log(3)) || len(tuned.Parameters) != 2 {
		t.Errorf("%+v", tuned)
	}
}

// The log loss of cross-validation is that of fits to the training rows of each split, also
// for two labels.
func TestLatentCrossIsRefitting(t *testing.T) {
	s := prep.Spec{Targets: []string{"kind"}, Raw: []string{"*"}}
	for name, table := range map[string]*data.Table{"two": houses(40, 7), "three": petals(40)} {
		splits := filepath.Join(t.TempDir(), "splits.txt")
		test := []int{0, 5, 9, 10, 21, 30, 33}
		if err := os.WriteFile(splits, []byte("0 5 9 10 21 30 33\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		const kernel = "rbf(sigma=2)"
		_, _, tuned, err := search.Tune(background, table, s, kernel, methods.GPC{}, search.Search{Splits: search.Splits{File: splits}, Score: "log-loss", Ranges: search.Ranges{Grid: map[string][]float64{"scale": {0.5, 3}}}})
		if err != nil {
			t.Fatal(err)
		}
		var train []int
		for i := range table.Rows() {
			if !slices.Contains(test, i) {
				train = append(train, i)
			}
		}
		p, err := task.New(background, table.Gather(train), s, "3*"+kernel)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mercer.Fit(background, p, methods.GPC{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		said, err := m.Test(background, table.Gather(test), compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := said.Scores()
		if err != nil {
			t.Fatal(err)
		}
		testkit.Close(t, name+" labels: log loss", tuned.Trials[1].Score, *all[0].LogLoss, 1e-9)
	}
}

// On landmarks and features that lose nothing of the kernel a classifier is the one on the rows:
// the latent values, the probabilities, of two labels and of three, and what its file says. Two
// modes are as near as their gaps say, below 1e-6 here.
func TestLatentInWeightsIsLatentOfRows(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]*data.Table{"two": houses(60, 7), "three": petals(70)} {
		s := prep.Spec{Targets: []string{"kind"}, Weights: "weight"}
		if name == "two" {
			s.ID = "id"
		}
		p, err := task.New(background, table, s, "poly(degree=2, offset=1)")
		if err != nil {
			t.Fatal(err)
		}
		method := methods.GPC{Scale: 0.5}
		exact, err := mercer.Fit(background, p, method, 1)
		if err != nil {
			t.Fatal(err)
		}
		low, err := p.LowRank(background, nystrom.Options{Rank: 40, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		mapped, err := p.WithFeatures(background, randomfeatures.Options{Dim: 60}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := predict(t, exact, table)
		for form, q := range map[string]*task.Task{"landmarks": low, "features": mapped} {
			m, err := mercer.Fit(background, q, method, 1)
			if err != nil {
				t.Fatalf("%s labels on %s: %v", name, form, err)
			}
			r := m.Report.(*gp.ClassReport)
			testkit.Close(t, name+form+" evidence", r.LogEvidence, exact.Report.(*gp.ClassReport).LogEvidence, 1e-6)
			got := predict(t, m, table)
			testkit.CloseSlice(t, name+form+" values", got.Values.RawMatrix().Data, want.Values.RawMatrix().Data, 1e-6)
			testkit.CloseSlice(t, name+form+" probabilities", got.Probabilities().RawMatrix().Data, want.Probabilities().RawMatrix().Data, 1e-6)
			again := reload(t, m)
			testkit.CloseSlice(t, name+form+" from the file", predict(t, again, table).Probabilities().RawMatrix().Data, got.Probabilities().RawMatrix().Data, 1e-12)
			if _, err := again.Verify(background, compute.Options{}); err != nil {
				t.Error(err)
			}
			plan, err := learner.Plan(background, q, method)
			if err != nil || plan.Solver != "features" {
				t.Errorf("plan by %q, %v", plan.Solver, err)
			}
			if _, err := mercer.Fit(background, q, methods.GPC{Optimize: true}, 1); err == nil || !strings.Contains(err.Error(), "made for one kernel") {
				t.Errorf("a search for the kernel: %v", err)
			}
			if _, err := mercer.Fit(background, q, learner.Calibrated{Learner: method, Conformal: true}, 1); err == nil || !strings.Contains(err.Error(), "search klr") {
				t.Errorf("conformal scores: %v", err)
			}
		}
	}
}

// Where a matrix of the rows does not fit a classifier on landmarks does.
func TestLatentInWeightsNeedsNoMatrix(t *testing.T) {
	const n = 900
	how := compute.Options{MaxMemory: 8 * n * n / 4}
	p, err := task.New(background, petals(n), prep.Spec{Targets: []string{"kind"}}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	low, err := p.LowRank(background, nystrom.Options{Rank: 30, Compute: how})
	if err != nil {
		t.Fatal(err)
	}
	method := methods.GPC{ClassOptions: gp.ClassOptions{Compute: how}}
	if _, err := mercer.Fit(background, low, method, 1); err != nil {
		t.Error(err)
	}
	if _, err := mercer.Fit(background, p, method, 1); !errors.As(err, new(*compute.TooLarge)) {
		t.Errorf("with the matrix: %v", err)
	}
}
