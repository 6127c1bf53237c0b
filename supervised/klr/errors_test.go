package klr_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/klr"
)

// At the training rows they are those of the report; at a new point, those of a fit that
// has the point as a row of weight zero.
func TestErrorsOfNewPoints(t *testing.T) {
	for _, intercept := range []bool{true, false} {
		p := newProblem(testkit.Rand(t, 15), 41, 2, 2, true)
		p.weights[40] = 0
		k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
		o := klr.Options{Ridge: 0.4, LOO: true, NoIntercept: !intercept}
		_, report := solve(t, k, p, o)
		q := p.rows(without(41, 40))
		kq := matrix(parse(t, "rbf(sigma=1)"), q.xs)
		sol, _ := solve(t, kq, q, o)
		e, err := klr.NewErrors(t.Context(), gram.FromMatrix(kq), klr.Fitted{Values: mat.Col(nil, 0, sol.Values), Ridge: 0.4, Weights: q.weights, NoIntercept: !intercept}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cross, diag := mat.NewDense(41, 40, nil), make([]float64, 41)
		for i := range 41 {
			diag[i] = k.At(i, i)
			for j := range 40 {
				cross.Set(i, j, k.At(i, j))
			}
		}
		got, err := e.At(t.Context(), cross, diag)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "standard errors", got, report.Point.StandardErrors, 1e-7)
		if _, err := e.At(t.Context(), cross, diag[:3]); err == nil || !strings.Contains(err.Error(), "41×40 with 3") {
			t.Errorf("three diagonals: %v", err)
		}
	}
	_, err := klr.NewErrors(t.Context(), gram.FromMatrix(mat.NewSymDense(2, nil)), klr.Fitted{Values: []float64{1}, Weights: []float64{1}}, compute.Options{})
	for _, want := range []string{"1 fitted values", "1 weights for 2 rows", "ridge = 0"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}

func TestPlan(t *testing.T) {
	m := compute.Machine{Workers: 2, GemmRate: 1e10, CopyRate: 1e9, ReadRate: 1e9, PairRate: 1e7}
	p := klr.Plan(klr.Work{Rows: 2000, Columns: 5, Classes: 2}, m)
	if p.Solver != "cholesky" || len(p.Stages) != 4 || p.Memory < 8*2000*2000 || p.Memory > 9*2000*2000 {
		t.Errorf("plan of a dense fit: %v", p)
	}
	for _, c := range []struct {
		solver    klr.Solver
		precision compute.Precision
		bytes     int64 // of a number of the matrix, for each half of which there is one
	}{{klr.Packed, compute.Double, 8}, {klr.Cholesky, compute.Single, 4}, {klr.CG, compute.Double, 8}, {klr.CG, compute.Single, 4}} {
		half := klr.Plan(klr.Work{Rows: 2000, Columns: 5, Classes: 2, Solver: c.solver, Precision: c.precision}, m)
		if least := c.bytes * 2000 * 2000 / 2; half.Memory < least || half.Memory > least+p.Memory/2 {
			t.Errorf("plan of %s in %s precision: %v", c.solver, c.precision, half)
		}
	}
	p = klr.Plan(klr.Work{Rows: 2000, Columns: 5, Features: 5, Classes: 3}, m)
	if p.Solver != "primal" || p.Memory > 1<<20 || len(p.Alternatives) != 4 || p.Alternatives[0].Solver != "cholesky" {
		t.Errorf("plan of a primal fit: %v", p)
	}
	if p := klr.Plan(klr.Work{Rows: 1000, Classes: 3, LOO: true}, m); p.Memory < 28*1000*1000 || p.Memory > 40*1000*1000 {
		t.Errorf("plan with leave-one-out of three classes: %v", p)
	}
	if p := klr.Plan(klr.Work{Rows: 2000, Classes: 2, LOO: true, Solver: klr.Cholesky}, m); p.Stages[len(p.Stages)-1].Stage != "leave-one-out" {
		t.Errorf("plan with leave-one-out: %v", p)
	}
}
