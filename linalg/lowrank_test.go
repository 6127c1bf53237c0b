package linalg

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/testkit"
)

// partial runs PivotedCholesky on a matrix.
func partial(a mat.Symmetric, rank int, tol float64) (*LowRank, error) {
	diag := make([]float64, a.SymmetricDim())
	for i := range diag {
		diag[i] = a.At(i, i)
	}
	return PivotedCholesky(context.Background(), diag, func(_ context.Context, j int, dst []float64) error {
		for i := range dst {
			dst[i] = a.At(i, j)
		}
		return nil
	}, rank, tol)
}

func TestPivotedCholeskyRecoversLowRank(t *testing.T) {
	rng := testkit.Rand(t, 21)
	x := randomDense(rng, 90, 7)
	var full mat.Dense
	full.Mul(x, x.T())
	a := fromFunc(90, full.At)
	low, err := partial(a, 50, 1e-12)
	if err != nil {
		t.Fatal(err)
	}
	if _, cols := low.L.Dims(); cols != 7 || len(low.Pivots) != 7 {
		t.Errorf("rank is %d with pivots %v, want 7", cols, low.Pivots)
	}
	var back mat.Dense
	back.Mul(low.L, low.L.T())
	testkit.CloseSlice(t, "LLᵀ", back.RawMatrix().Data, full.RawMatrix().Data, 90*eps)
}

// TestPivotedCholeskyRest: the remainder has the reported trace, no negative
// eigenvalue, and zero rows at the pivots; pivots are the largest remaining diagonals.
func TestPivotedCholeskyRest(t *testing.T) {
	const n, rank = 120, 15
	a := gaussGram(t, n, 3, 1)
	low, err := partial(a, rank, 0)
	if err != nil {
		t.Fatal(err)
	}
	var rest mat.Dense
	rest.Mul(low.L, low.L.T())
	rest.Sub(a, &rest)
	testkit.Close(t, "trace", low.Trace, mat.Trace(&rest), n*eps)
	for _, p := range low.Pivots {
		if got := maxAbs(rest.RowView(p)); !(got <= n*eps) {
			t.Errorf("row %d of the remainder has elements up to %g", p, got)
		}
	}
	e, err := EigenSym(context.Background(), fromFunc(n, rest.At), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !(e.Values[0] >= -n*eps) {
		t.Errorf("the remainder has eigenvalue %g", e.Values[0])
	}
	if low.Pivots[0] != 0 {
		t.Errorf("first pivot is %d, want 0, the first of equal diagonals", low.Pivots[0])
	}
}

func TestPivotedCholeskyRefuses(t *testing.T) {
	if _, err := partial(banded(4, func(i int) float64 { return float64(2 - i) }, constant(0)), 2, 0); err == nil || !strings.Contains(err.Error(), "diagonal element 3 is -1") {
		t.Errorf("error for a negative diagonal is %v", err)
	}
	if _, err := partial(mat.NewSymDense(3, nil), 2, 0); err == nil {
		t.Error("no error for the zero matrix")
	}
	if _, err := partial(banded(3, constant(1), constant(math.NaN())), 2, 0); err == nil {
		t.Error("no error for NaN beside the diagonal")
	}
	if _, err := partial(banded(3, constant(1), constant(0)), 0, 0); err == nil {
		t.Error("no error for rank 0")
	}
	failure := errors.New("column cannot be computed")
	_, err := PivotedCholesky(context.Background(), []float64{1, 1}, func(context.Context, int, []float64) error { return failure }, 2, 0)
	if !errors.Is(err, failure) {
		t.Errorf("error is %v, want that of the column", err)
	}
	for _, shift := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := LowRankPreconditioner(mat.NewDense(3, 1, nil), shift); err == nil {
			t.Errorf("no error for shift %v", shift)
		}
	}
}

// TestLowRankPreconditionerInverts: (LLᵀ + sI)·M·x = x.
func TestLowRankPreconditionerInverts(t *testing.T) {
	rng := testkit.Rand(t, 22)
	const n, shift = 70, 0.5
	l := randomDense(rng, n, 9)
	m, err := LowRankPreconditioner(l, shift)
	if err != nil {
		t.Fatal(err)
	}
	x := randomDense(rng, n, 3)
	var y, back mat.Dense
	y.ReuseAs(n, 3)
	if err := m.Mul(context.Background(), &y, x); err != nil {
		t.Fatal(err)
	}
	var lt mat.Dense
	lt.Mul(l.T(), &y)
	back.Mul(l, &lt)
	y.Scale(shift, &y)
	back.Add(&back, &y)
	// ‖LLᵀ‖/shift, the condition number, is below 300.
	testkit.CloseSlice(t, "(LLᵀ+sI)Mx", back.RawMatrix().Data, x.RawMatrix().Data, 300*n*eps)
}
