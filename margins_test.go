package mercer_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data/prep"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
)

// TestMarginsGiveTheLikelihood: the logistic loss of a margin is −ln of the softmax
// probability of the row's label, far from 0 too.
func TestMarginsGiveTheLikelihood(t *testing.T) {
	three := []prep.Target{{Name: "kind", Labels: []string{"a", "b", "c"}}}
	p := &outcome.Prediction{Targets: three, Values: mat.NewDense(3, 3, []float64{1, 2, -1, 0, 0, 0, 50, -700, 710}),
		Rows: &prep.Prepared{Y: mat.NewDense(3, 3, []float64{0, 1, 0, 1, 0, 0, 0, 0, 1})}}
	u, err := p.Margins()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{math.Log1p(math.Exp(-1) + math.Exp(-3)), math.Log(3), math.Exp(-660)} {
		if got := (loss.Logistic{}).Value(1, u[i]); math.Abs(got-want) > 4e-16*max(1, want) {
			t.Errorf("row %d: loss %v, want %v", i, got, want)
		}
	}
	p = &outcome.Prediction{Targets: []prep.Target{{Name: "kind", Labels: []string{"a", "b"}}}, Values: mat.NewDense(2, 1, []float64{3, 0.5}),
		Rows: &prep.Prepared{Y: mat.NewDense(2, 1, []float64{-1, 1})}}
	if u, err = p.Margins(); err != nil || u[0] != -3 || u[1] != 0.5 {
		t.Errorf("two labels: %v %v, want [-3 0.5]", u, err)
	}
	p.Targets[0].Labels = nil
	if _, err := p.Margins(); err == nil {
		t.Error("a numeric target has margins")
	}
}
