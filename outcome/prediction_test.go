package outcome_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/outcome"
)

// kinds are five rows of a target with three labels and the log odds of a softmax.
func kinds() *outcome.Prediction {
	t := prep.Target{Name: "kind", Labels: []string{"a", "b", "c"}}
	d := outcome.ForClasses(t)
	d.Link = outcome.Softmax
	y := mat.NewDense(5, 3, []float64{1, -1, -1, -1, 1, -1, -1, -1, 1, 1, -1, -1, -1, 1, -1})
	f := mat.NewDense(5, 3, []float64{2, 1, 0, 0, 3, 1, 1, 0, 2, 0, 1, 0.5, -1, 0, 4})
	return &outcome.Prediction{Rows: &prep.Prepared{Rows: []int{0, 1, 2, 3, 4}, Y: y, W: []float64{1, 2, 1, 1, 3}},
		Values: f, Outputs: d.Outputs, Targets: []prep.Target{t}, Decision: d}
}

// TestLabelsAndProbabilitiesAgree compares labels, probabilities and scores with their definitions.
func TestLabelsAndProbabilitiesAgree(t *testing.T) {
	p := kinds()
	if err := p.Decision.Check(p.Targets); err != nil {
		t.Fatal(err)
	}
	q := p.Probabilities()
	right, total, loss := 0.0, 0.0, 0.0
	for i, want := range []string{"a", "b", "c", "b", "c"} {
		if got := p.Label(i, 0); got != want {
			t.Errorf("row %d is labelled %s, not %s", i, got, want)
		}
		sum := 0.0
		for j := range 3 {
			sum += math.Exp(p.Values.At(i, j))
		}
		truth := p.Targets[0].Class(p.Rows.Y.RawRowView(i))
		for j := range 3 {
			testkit.Close(t, "probability", q.At(i, j), math.Exp(p.Values.At(i, j))/sum, 1e-14)
		}
		w := p.Rows.W[i]
		if truth == p.Class(i, 0) {
			right += w
		}
		loss -= w * math.Log(q.At(i, truth))
		total += w
	}
	all, err := p.Scores()
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "accuracy", all[0].Accuracy, right/total, 1e-14)
	testkit.Close(t, "logarithmic loss", *all[0].LogLoss, loss/total, 1e-13)
}

// TestMarginsAreLogOdds compares margins with the log odds of the probabilities.
func TestMarginsAreLogOdds(t *testing.T) {
	p := kinds()
	margins, err := p.Margins()
	if err != nil {
		t.Fatal(err)
	}
	q := p.Probabilities()
	for i, m := range margins {
		own := q.At(i, p.Targets[0].Class(p.Rows.Y.RawRowView(i)))
		testkit.Close(t, "margin", m, math.Log(own/(1-own)), 1e-12)
	}
}

// TestRunsAreTheRowsInTheirOrder puts more rows than one run has together again.
func TestRunsAreTheRowsInTheirOrder(t *testing.T) {
	n := outcome.RunRows + 3
	p := &outcome.Prediction{Rows: &prep.Prepared{Rows: make([]int, n)}, Values: mat.NewDense(n, 1, nil), Noise: make([]float64, n)}
	for i := range n {
		p.Rows.Rows[i], p.Noise[i] = i, float64(i)
		p.Values.Set(i, 0, float64(i))
	}
	next := 0
	err := p.Runs(func(run *outcome.Prediction) error {
		for i, row := range run.Rows.Rows {
			if row != next || run.Values.At(i, 0) != float64(next) || run.Noise[i] != float64(next) {
				t.Fatalf("row %d of the table is row %d of a run with value %v", next, row, run.Values.At(i, 0))
			}
			next++
		}
		return nil
	})
	if err != nil || next != n {
		t.Fatalf("%d of %d rows, error %v", next, n, err)
	}
}

// TestConformalBoundsCoverTheirRows compares intervals with the quantile of the scores by its
// definition: the ⌈(n+1)·level⌉-th smallest.
func TestConformalBoundsCoverTheirRows(t *testing.T) {
	targets := []prep.Target{{Name: "y"}}
	d := outcome.Decision{Rule: outcome.Coded, Outputs: []string{"y"}}
	y := mat.NewDense(9, 1, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9})
	held := mat.NewDense(9, 1, []float64{1.1, 2.2, 2.7, 4.4, 5.5, 5.4, 7.7, 8.8, 8.1})
	values, err := d.Nonconformity(targets, y, held)
	if err != nil {
		t.Fatal(err)
	}
	c := outcome.Conformal{Values: values}
	if err := c.Check(targets); err != nil {
		t.Fatal(err)
	}
	p := &outcome.Prediction{Values: mat.NewDense(1, 1, []float64{10}), Targets: targets, Decision: d}
	lo, hi, err := c.Bounds(p, 0.8)
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "lower end", lo[0], 10-0.8, 1e-12)
	testkit.Close(t, "upper end", hi[0], 10+0.8, 1e-12)
}
