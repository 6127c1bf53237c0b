package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

const eps32 = 0x1p-24

func packSingle(a *mat.SymDense) *PackedSingle {
	p := NewPackedSingle(a.SymmetricDim())
	for i := range a.SymmetricDim() {
		for j := range i + 1 {
			*p.element(i, j) = float32(a.At(i, j))
		}
	}
	return p
}

func constants(n int, v float64) []float64 {
	c := make([]float64, n)
	for i := range c {
		c[i] = v
	}
	return c
}

// TestFactorPackedSingle holds the single precision factor to the bounds of
// checkFactored with the unit roundoff of its width; the rounding of the matrix itself
// is one of the errors.
func TestFactorPackedSingle(t *testing.T) {
	rng := testkit.Rand(t, 41)
	ctx := context.Background()
	for _, n := range edges {
		if testing.Short() && n > 257 {
			continue
		}
		t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
			a := definite(rng, n, 0)
			p := packSingle(a)
			if got := int64(4 * len(p.data)); got != PackedSingleBytes(n) {
				t.Errorf("PackedSingleBytes is %d, storage %d", PackedSingleBytes(n), got)
			}
			f, err := FactorPackedSingle(ctx, p, constants(n, 0.5), Options{})
			if err != nil {
				t.Fatal(err)
			}
			m := shifted(a, 0.5)
			tol := 10 * float64(n+10) * eps32
			var reference mat.Cholesky
			if !reference.Factorize(m) {
				t.Fatal("gonum cannot factor the test matrix")
			}
			testkit.Close(t, "LogDet", f.LogDet(), reference.LogDet(), tol)
			testkit.Close(t, "norm", f.Norm(), mat.Norm(m, 1), tol)
			var inverse mat.SymDense
			if err := reference.InverseTo(&inverse); err != nil {
				t.Fatal(err)
			}
			condition := mat.Norm(m, 1) * mat.Norm(&inverse, 1)
			if got := f.Condition(); !(got <= condition*(1+tol) && got >= condition/3) {
				t.Errorf("Condition = %g, true value %g", got, condition)
			}
			for _, columns := range []int{1, 3, 5} {
				b := randomDense(rng, n, columns)
				for i := range n {
					b.Set(i, 0, b.At(i, 0)*1e-60) // would be zero in single precision
				}
				var x, ax mat.Dense
				if err := f.Solve(ctx, &x, b); err != nil {
					t.Fatal(err)
				}
				ax.Mul(m, &x)
				ax.Sub(b, &ax)
				if got := relativeNorm(&ax, b); !(got <= tol) {
					t.Errorf("residual of %d right-hand sides is %g", columns, got)
				}
			}
		})
	}
}

// TestSinglePreconditionsDouble: the factor in single precision brings conjugate
// gradients in double precision to 1e-12 in as many steps as its digits allow. At the
// smallest ridge ‖A‖·‖x‖/‖b‖ is 1e5, and rounding alone leaves some 1e-12.
func TestSinglePreconditionsDouble(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		ridge, tolerance float64
		most             int // products; each multiplies the residual by about κ·2⁻²⁴
	}{{1, 1e-12, 4}, {1e-2, 1e-12, 6}, {1e-3, 1e-11, 8}} {
		a := gaussGram(t, 300, 2, 1)
		f, err := FactorPackedSingle(ctx, packSingle(a), constants(300, c.ridge), Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := randomDense(testkit.Rand(t, 42), 300, 2)
		m := &operator{Matrix: shifted(a, c.ridge)}
		_, report, err := CG(ctx, m, b, CGOptions{Tolerance: c.tolerance, Preconditioner: f.Preconditioner()})
		if err != nil || report.Iterations > c.most {
			t.Errorf("ridge %g, condition %.1e: %+v, %v", c.ridge, f.Condition(), report, err)
		}
	}
}

// TestSingleBreaksDown: the Hilbert matrix of order 12 has the condition number 1.7e16.
func TestSingleBreaksDown(t *testing.T) {
	a := fromFunc(12, func(i, j int) float64 { return 1 / float64(i+j+1) })
	_, err := FactorPackedSingle(context.Background(), packSingle(a), constants(12, 0), Options{})
	var np *NotPositiveDefinite
	if !errors.As(err, &np) || np.Pivot < 4 || !(math.Abs(np.Value) < 1e-6) {
		t.Errorf("error is %v", err)
	}
	a.SetSym(3, 3, 1e300) // overflows
	_, err = FactorPackedSingle(context.Background(), packSingle(a), constants(12, 0), Options{})
	if !errors.As(err, &np) || np.Pivot != 3 || !math.IsInf(np.Value, 1) {
		t.Errorf("error is %v", err)
	}
	if _, err = FactorPackedSingle(context.Background(), packSingle(a), constants(11, 0), Options{}); err == nil {
		t.Error("no error for a short shift")
	}
}
