package linalg

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
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
	m, err := NewWoodbury(context.Background(), low.LT, d, Options{})
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

// Columns in the kinds that a block may have: alike, dependent, zero, of very different sizes. The
// block solves them all, to the residuals that separate recurrences reach, with fewer products.
func TestCGBlock(t *testing.T) {
	rng := testkit.Rand(t, 15)
	a := banded(150, func(i int) float64 { return math.Pow(10, -5*float64(i)/149) }, constant(0))
	base := randomDense(rng, 150, 8)
	b := mat.NewDense(150, 12, nil)
	for i := range 150 {
		row := base.RawRowView(i)
		copy(b.RawRowView(i), row)
		b.Set(i, 8, row[0]-row[1])         // dependent
		b.Set(i, 9, row[2]+1e-9*row[3])    // nearly
		b.Set(i, 10, 1e12*(row[4]+row[5])) // of another size; column 11 is zero
	}
	solve := func(o CGOptions) (*mat.Dense, CGReport) {
		t.Helper()
		o.Tolerance = 1e-9
		x, report, err := CG(t.Context(), &operator{Matrix: a}, b, o)
		if err != nil {
			t.Fatal(err)
		}
		return x, report
	}
	slow, separate := solve(CGOptions{Separate: true})
	fast, block := solve(CGOptions{})
	if !(block.Iterations < separate.Iterations*2/3) || block.Columns > 9*block.Iterations+12 {
		t.Errorf("%d products with %d columns in a block, %d with %d by separate recurrences", block.Iterations, block.Columns, separate.Iterations, separate.Columns)
	}
	// Residuals of 1e-9·‖b‖ leave errors of 1e-9·‖b‖/1e-5, and ‖x‖ is at least ‖b‖.
	for j := range 12 {
		var d mat.VecDense
		d.SubVec(fast.ColView(j), slow.ColView(j))
		if off := mat.Norm(&d, 2); off > 2e-4*mat.Norm(b.ColView(j), 2) {
			t.Errorf("column %d: the two differ by %g", j, off/mat.Norm(b.ColView(j), 2))
		}
	}
	for _, workers := range []int{2, 3, 8} {
		if again, _ := solve(CGOptions{Workers: workers}); !slices.Equal(again.RawMatrix().Data, fast.RawMatrix().Data) {
			t.Errorf("%d workers change the bits", workers)
		}
	}
}

// A preconditioner that changes from one iteration to the next, and a matrix whose products have
// single precision only, slow the block down and leave it right.
func TestCGBlockIsFlexible(t *testing.T) {
	rng := testkit.Rand(t, 16)
	a := definite(rng, 200, 0)
	b := randomDense(rng, 200, 6)
	x, report, err := CG(t.Context(), &operator{Matrix: a}, b, CGOptions{Tolerance: 1e-10, Preconditioner: &wavering{}})
	if err != nil || !report.Converged || report.Iterations > 60 {
		t.Fatalf("%+v, %v", report, err)
	}
	var r mat.Dense
	r.Mul(a, x)
	r.Sub(b, &r)
	testkit.Close(t, "residual", relativeNorm(&r, b), report.Residual, 1e-15)
	_, report, err = CG(t.Context(), rounded{a}, b, CGOptions{Tolerance: 1e-6, Unchecked: true})
	if err != nil || !report.Converged {
		t.Errorf("in single precision: %+v, %v", report, err)
	}
}

// wavering multiplies by a diagonal that differs from call to call.
type wavering struct{ calls int }

func (w *wavering) Mul(_ context.Context, dst, x *mat.Dense) error {
	w.calls++
	dst.Apply(func(i, _ int, v float64) float64 { return v * (1 + 0.3*math.Sin(float64(i+w.calls))) }, x)
	return nil
}

// rounded multiplies in single precision.
type rounded struct{ a mat.Matrix }

func (r rounded) Mul(_ context.Context, dst, x *mat.Dense) error {
	dst.Mul(r.a, x)
	dst.Apply(func(_, _ int, v float64) float64 { return float64(float32(v)) }, dst)
	return nil
}

func TestCGBlockReportsNegativeCurvature(t *testing.T) {
	b := randomDense(testkit.Rand(t, 17), 80, 4)
	var indefinite *NegativeCurvature
	a := banded(80, func(i int) float64 { return float64(i) - 2.5 }, constant(0))
	if _, _, err := CG(t.Context(), &operator{Matrix: a}, b, CGOptions{}); !errors.As(err, &indefinite) || !(indefinite.Value < 0) {
		t.Errorf("error for an indefinite matrix is %v", err)
	}
	a = banded(80, constant(1), constant(0))
	if _, _, err := CG(t.Context(), &operator{Matrix: a}, b, CGOptions{Preconditioner: negated{}}); !errors.As(err, &indefinite) {
		t.Errorf("error for a negative preconditioner is %v", err)
	}
}

type negated struct{}

func (negated) Mul(_ context.Context, dst, x *mat.Dense) error {
	dst.Scale(-1, x)
	return nil
}
