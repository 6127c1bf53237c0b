package linalg

import (
	"context"
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/testkit"
)

// operator multiplies by a matrix and counts.
type operator struct {
	mat.Matrix
	products int
}

func (o *operator) Mul(_ context.Context, dst, x *mat.Dense) error {
	o.products++
	dst.Mul(o.Matrix, x)
	return nil
}

func TestCGSolvesManyRightHandSides(t *testing.T) {
	rng := testkit.Rand(t, 11)
	a := definite(rng, 150, 0)
	b := randomDense(rng, 150, 4)
	for i := range 150 {
		b.Set(i, 2, 0) // a column that is solved from the start
	}
	op := &operator{Matrix: a}
	x, report, err := CG(context.Background(), op, b, CGOptions{Tolerance: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Converged || report.Iterations != op.products || report.Iterations > 60 {
		t.Errorf("report is %+v after %d products", report, op.products)
	}
	var want mat.Dense
	if err := want.Solve(a, b); err != nil {
		t.Fatal(err)
	}
	// The condition number is below 5, which carries the residual over to the error.
	testkit.CloseSlice(t, "x", x.RawMatrix().Data, want.RawMatrix().Data, 5e-12)
	var r mat.Dense
	r.Mul(a, x)
	r.Sub(b, &r)
	testkit.Close(t, "reported residual", report.Residual, relativeNorm(&r, b), 1e-15)
}

// TestCGRestartsFromTheTrueResidual: with condition 1e8 the residual of the recurrence
// drifts from the true one by more than the tolerance; only restarts reach it.
func TestCGRestartsFromTheTrueResidual(t *testing.T) {
	values := make([]float64, 60)
	for i := range values {
		values[i] = math.Pow(10, -8*float64(i)/59)
	}
	a := withSpectrum(t, values)
	b := randomDense(testkit.Rand(t, 12), 60, 2)
	x, report, err := CG(context.Background(), &operator{Matrix: a}, b, CGOptions{Tolerance: 6e-9, Iterations: 5000})
	if err != nil {
		t.Fatal(err)
	}
	var r mat.Dense
	r.Mul(a, x)
	r.Sub(b, &r)
	if got := relativeNorm(&r, b); !(got <= 6e-9) || !report.Converged {
		t.Errorf("residual is %g, report %+v", got, report)
	}
}

func TestCGPreconditioned(t *testing.T) {
	// A Gaussian Gram matrix plus a small ridge is low rank plus shift.
	const n, ridge = 300, 1e-4
	k := gaussGram(t, n, 2, 2)
	low, err := lowRank(k, LowRankOptions{Rank: 60, Tolerance: 1e-9, Pivots: Random, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	d := low.Rest
	for i := range d {
		d[i] += ridge
	}
	m, err := LowRankPreconditioner(context.Background(), low.LT, d, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := shifted(k, ridge)
	b := randomDense(testkit.Rand(t, 13), n, 3)
	plain, plainReport, err := CG(context.Background(), &operator{Matrix: a}, b, CGOptions{Tolerance: 1e-8})
	if err != nil {
		t.Fatal(err)
	}
	fast, fastReport, err := CG(context.Background(), &operator{Matrix: a}, b, CGOptions{Tolerance: 1e-8, Preconditioner: m})
	if err != nil {
		t.Fatal(err)
	}
	if fastReport.Iterations > 10 || plainReport.Iterations < 3*fastReport.Iterations {
		t.Errorf("%d iterations with the preconditioner, %d without", fastReport.Iterations, plainReport.Iterations)
	}
	// Residuals of 1e-8·‖b‖ leave errors of 1e-8·‖b‖/ridge; ‖x‖ is near ‖b‖/ridge.
	testkit.CloseSlice(t, "x", fast.RawMatrix().Data, plain.RawMatrix().Data, 1e-6)
}

func TestCGReportsFailure(t *testing.T) {
	rng := testkit.Rand(t, 14)
	b := randomDense(rng, 80, 1)
	a := withSpectrum(t, func() []float64 {
		v := make([]float64, 80)
		for i := range v {
			v[i] = 1 / float64(1+i*i)
		}
		return v
	}())
	var slow *NotConverged
	x, report, err := CG(context.Background(), &operator{Matrix: a}, b, CGOptions{Iterations: 12})
	if !errors.As(err, &slow) || slow.Stagnated || report.Converged || report.Iterations != 12 {
		t.Errorf("error is %v, report %+v", err, report)
	}
	var r mat.Dense
	r.Mul(a, x)
	r.Sub(b, &r)
	testkit.Close(t, "residual of the iterate", relativeNorm(&r, b), report.Residual, 1e-13)
	_, _, err = CG(context.Background(), &operator{Matrix: a}, b, CGOptions{Tolerance: 1e-18, Iterations: 100000})
	if !errors.As(err, &slow) || !slow.Stagnated {
		t.Errorf("error for an unreachable tolerance is %v", err)
	}
	var indefinite *NegativeCurvature
	_, _, err = CG(context.Background(), &operator{Matrix: banded(80, func(i int) float64 { return float64(i) - 40.5 }, constant(0))}, b, CGOptions{})
	if !errors.As(err, &indefinite) || !(indefinite.Value < 0) {
		t.Errorf("error for an indefinite matrix is %v", err)
	}
	b.Set(3, 0, math.NaN())
	if _, _, err = CG(context.Background(), &operator{Matrix: a}, b, CGOptions{}); err == nil {
		t.Error("no error for a right-hand side with NaN")
	}
	if _, _, err = CG(context.Background(), &operator{Matrix: a}, b, CGOptions{Tolerance: -1}); err == nil {
		t.Error("no error for a negative tolerance")
	}
}
