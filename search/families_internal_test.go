package search

import (
	"math"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
)

// TestScaledKeepsTheRidge: what is found on 40 rows is put on all 120 with the same kernel and the
// same Nλ, and the score stays that of the 40.
func TestScaledKeepsTheRidge(t *testing.T) {
	x, y := data.Column{Name: "x"}, data.Column{Name: "y"}
	for i := range 120 {
		x.Numbers = append(x.Numbers, float64(i*37%120)/20)
		y.Numbers = append(y.Numbers, math.Sin(x.Numbers[i])+0.1*math.Cos(float64(7*i)))
	}
	f := &familySearch{table: &data.Table{Source: "wave", Headed: true, Columns: []data.Column{x, y}}, spec: prep.Spec{Targets: []string{"y"}}, method: methods.KRR{}}
	e := &FamilyScore{Family: "rbf", kernel: "rbf(sigma=?)"}
	small, err := f.one(t.Context(), f.part(40), e, 0)
	if err != nil {
		t.Fatal(err)
	}
	e.found = small
	score := e.Score
	all, err := f.scaled(t.Context(), f.table, e, 120)
	if err != nil {
		t.Fatal(err)
	}
	lambda := all.m.(methods.KRR).Lambda
	if ridge := 120 * lambda; math.Abs(ridge-small.tuned.Ridge) > 1e-12*ridge || math.Abs(all.tuned.Ridge-ridge) > 1e-12*ridge {
		t.Errorf("Nλ is %v, said to be %v, and was %v", ridge, all.tuned.Ridge, small.tuned.Ridge)
	}
	if all.p.Kernel() != small.tuned.Kernel || all.p.Points.Size() != 120 || all.tuned.Best.Score != score || all.tuned.Parameters[0].Name != "sigma" {
		t.Errorf("kernel %s on %d rows, score %v, parameters %v; found was %s with %v", all.p.Kernel(), all.p.Points.Size(), all.tuned.Best.Score, all.tuned.Parameters, small.tuned.Kernel, score)
	}
}
