package search

import (
	"math"
	"strings"
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

// TestPartsHaveEveryLabel: a part has its share of a label that has many rows, and five of one that
// has few, wherever they stand.
func TestPartsHaveEveryLabel(t *testing.T) {
	x, kind := data.Column{Name: "x"}, data.Column{Name: "kind", Kind: data.Categorical}
	for i := range 5000 {
		label := "often"
		if i%2 == 1 {
			label = "as often"
		}
		if i >= 4990 {
			label = "seldom"
		}
		if i == 17 || i == 4000 {
			label = "twice"
		}
		x.Numbers, kind.Strings = append(x.Numbers, float64(i)), append(kind.Strings, label)
	}
	f := &familySearch{table: &data.Table{Source: "kinds", Headed: true, Columns: []data.Column{x, kind}}, spec: prep.Spec{Targets: []string{"kind"}}, method: methods.KRR{}}
	part, count := f.part(600), map[string]int{}
	for i, label := range part.Columns[1].Strings {
		count[label]++
		if i > 0 && part.Columns[0].Numbers[i] <= part.Columns[0].Numbers[i-1] {
			t.Fatal("rows are not in their order")
		}
	}
	if n := part.Rows(); n < 600 || n > 610 || count["twice"] != 2 || count["seldom"] != 5 || count["often"] < 290 || count["as often"] < 290 {
		t.Errorf("%d rows with %v", n, count)
	}
}

// TestBudget: with no time left the first family is put on all rows with the same Nλ, and the
// report says how many were left.
func TestBudget(t *testing.T) {
	x, y := data.Column{Name: "x"}, data.Column{Name: "y"}
	for i := range 200 {
		x.Numbers = append(x.Numbers, float64(i*37%200)/30)
		y.Numbers = append(y.Numbers, math.Sin(2*x.Numbers[i])+0.1*math.Cos(float64(7*i)))
	}
	table := &data.Table{Source: "wave", Headed: true, Columns: []data.Column{x, y}}
	p, m, tuned, err := Tune(t.Context(), table, prep.Spec{Targets: []string{"y"}}, Auto, methods.KRR{}, Search{Rungs: [2]int{60, 120}, Budget: 1})
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, f := range tuned.Families {
		if f.Rows > 0 {
			tried++
		}
	}
	if tried != 1 || p.Points.Size() != 200 || len(tuned.Warnings) == 0 || !strings.Contains(tuned.Warnings[len(tuned.Warnings)-1], "was over with") {
		t.Errorf("%d families tried, %d rows, warnings %q", tried, p.Points.Size(), tuned.Warnings)
	}
	if lambda := m.(methods.KRR).Lambda; math.Abs(tuned.Ridge-200*lambda) > 1e-12*tuned.Ridge {
		t.Errorf("Nλ is %v, and λ = %v", tuned.Ridge, lambda)
	}
}
