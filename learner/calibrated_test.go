package learner_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/loss"
	"example.org/mercer/outcome/calibrate"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/rfm"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/task"
)

// waves is a table of a number and of a label that depend on two columns.
func waves(n int) *data.Table {
	columns := []data.Column{{Name: "a"}, {Name: "b"}, {Name: "y"}, {Name: "label", Kind: data.Text}}
	for i := range n {
		a, b := math.Sin(float64(i)*1.7), math.Cos(float64(i*i%97))
		y := math.Sin(3*a) + b*b + 0.1*math.Sin(float64(11*i))
		label := "low"
		if y > 0.5 {
			label = "high"
		}
		for j, v := range []float64{a, b, y} {
			columns[j].Numbers = append(columns[j].Numbers, v)
		}
		columns[3].Strings = append(columns[3].Strings, label)
	}
	return &data.Table{Source: "waves", Headed: true, Columns: columns}
}

// On landmarks and random features the folds learn in these, and find what they find in the n×n
// matrix of the kernel that stands for the other.
func TestFoldsInFeaturesAreThoseInTheMatrix(t *testing.T) {
	t.Parallel()
	n := 300
	if testing.Short() {
		n = 120
	}
	number, label := prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}}, prep.Spec{Targets: []string{"label"}, Drop: []string{"y"}}
	machines := svm.Options{C: 2, Tolerance: 1e-7}
	for _, c := range []struct {
		spec prep.Spec
		c    learner.Calibrated
		tol  float64
	}{
		{number, learner.Calibrated{Learner: methods.KRR{Options: krr.Options{Lambda: 1e-3}}, Conformal: true, Seed: 1}, 1e-7},
		{number, learner.Calibrated{Learner: methods.ERM{Options: erm.Options{Lambda: 1e-3}, Loss: loss.Huber{K: 1}}, Conformal: true, Seed: 1}, 1e-6},
		{number, learner.Calibrated{Learner: methods.SVR{Options: machines, Refinement: methods.Refinement{ExactGap: true}}, Conformal: true, Seed: 1}, 1e-4},
		{label, learner.Calibrated{Learner: methods.SVC{Options: machines}, Probabilities: calibrate.Platt, Conformal: true, Seed: 1}, 1e-4},
		{label, learner.Calibrated{Learner: methods.KLR{Options: klr.Options{Lambda: 1e-3}}, Conformal: true, Seed: 1}, 1e-6},
	} {
		whole, err := task.New(t.Context(), waves(n), c.spec, "rbf(sigma=1)")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []task.Approximation{{Landmarks: &nystrom.Options{Rank: 20, Seed: 2}}, {Features: &randomfeatures.Options{Dim: 24, Seed: 2}}} {
			p, err := whole.Reduced(t.Context(), r, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s, %s", c.c.Name(), r)
			if !learner.InFeatures(c.c, p) {
				t.Fatalf("%s: not in features", what)
			}
			l, err := c.c.Learner.Fit(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			l.States = nil
			splits, err := learner.Splits(c.c, p)
			if err != nil {
				t.Fatal(err)
			}
			plain := c.c
			plain.Learner = learner.FunctionOnly(c.c.Learner)
			want, err := learner.HeldInMatrix(plain, t.Context(), p, l, splits)
			if err != nil {
				t.Fatal(err)
			}
			got, err := learner.HeldOut(c.c, t.Context(), p, l)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			testkit.CloseSlice(t, what, got.RawMatrix().Data, want.RawMatrix().Data, c.tol)
			if _, err := learner.Fit(t.Context(), p, c.c); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

// The plan of folds in features has no square of the rows, and that of others has.
func TestPlanOfFoldsInFeatures(t *testing.T) {
	const n, rank = 4000, 20
	whole, err := task.New(t.Context(), waves(n), prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	low, err := whole.Reduced(t.Context(), task.Approximation{Landmarks: &nystrom.Options{Rank: rank, Seed: 2}}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	held := func(p *task.Task) int64 {
		plan, err := learner.Plan(t.Context(), p, learner.Calibrated{Learner: methods.KRR{Options: krr.Options{Lambda: 1e-3}}, Conformal: true})
		if err != nil {
			t.Fatal(err)
		}
		return plan.Stages[len(plan.Stages)-1].Memory
	}
	if got := held(low); got < 8*3*n*rank || got > 4*n*n {
		t.Errorf("in features %d bytes", got)
	}
	if got := held(whole); got < 8*n*n {
		t.Errorf("in the matrix %d bytes", got)
	}
}

// The rows that judge recursive feature machines, or a tree of them, are those whose conformal
// scores a model keeps, by the function that had not learned from them.
func TestJudgesAreHeldOut(t *testing.T) {
	t.Parallel()
	const n, lambda = 160, 1e-3
	p, err := task.New(t.Context(), waves(n), prep.Spec{Targets: []string{"y"}, Drop: []string{"label"}}, "laplace(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	machine := methods.RFM{Options: rfm.Options{Shape: mahalanobis.Identity}, Lambda: lambda, Validation: 0.25}
	_, judges, values, err := machine.FitJudged(t.Context(), p)
	if err != nil || len(judges) != n/4 {
		t.Fatalf("%d judges, %v; want %d", len(judges), err, n/4)
	}
	var rest []int
	for i := range n {
		if !slices.Contains(judges, i) {
			rest = append(rest, i)
		}
	}
	ridge, err := methods.KRR{Options: krr.Options{Ridge: lambda * n}}.Fit(t.Context(), p.Part(rest))
	if err != nil {
		t.Fatal(err)
	}
	want, err := ridge.Function.Predict(t.Context(), p.Part(judges).Rows, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range judges {
		testkit.Close(t, fmt.Sprintf("judge %d", i), values.At(i, 0), want.At(i, 0), 1e-9)
	}
	for _, leaves := range []int{0, 50} {
		machine.Leaves = leaves
		f, err := learner.Calibrated{Learner: machine, Conformal: true}.Fit(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		_, judges, values, err := machine.FitJudged(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		scores, ok := learner.StateOf[*learner.ConformalScores](f)
		if !ok || len(scores.Weights) != len(judges) {
			t.Fatalf("%d leaves: scores %v", leaves, scores)
		}
		for at, i := range judges {
			testkit.Close(t, fmt.Sprintf("%d leaves: score %d", leaves, at), scores.Values.At(at, 0), math.Abs(p.Rows.Y.At(i, 0)-values.At(at, 0)), 1e-12)
		}
	}
	machine.Last = true
	if _, err := (learner.Calibrated{Learner: machine, Conformal: true}).Fit(t.Context(), p); err == nil {
		t.Error("scores of a fit in which nobody judged")
	}
}
