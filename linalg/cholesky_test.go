package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// edges are orders on both sides of the edges of leaves and tiles.
var edges = []int{1, 2, 31, 33, 63, 64, 65, 127, 129, 255, 256, 257, 300, 513}

const eps = 0x1p-52

// randomDense returns an r×c matrix of standard normal numbers.
func randomDense(rng *rand.Rand, r, c int) *mat.Dense {
	m := mat.NewDense(r, c, nil)
	for i := range r {
		for j := range c {
			m.Set(i, j, rng.NormFloat64())
		}
	}
	return m
}

// definite returns XᵀX/n + I, X standard normal: eigenvalues between 1 and about 5.
// The storage has stride n+pad.
func definite(rng *rand.Rand, n, pad int) *mat.SymDense {
	x := randomDense(rng, n, n)
	wide := mat.NewSymDense(n+pad, nil)
	a := wide.SliceSym(0, n).(*mat.SymDense)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, mat.Dot(x.ColView(i), x.ColView(j))/float64(n))
		}
		a.SetSym(i, i, a.At(i, i)+1)
	}
	return a
}

func pack(a *mat.SymDense) *Packed {
	p := NewPacked(a.SymmetricDim())
	for i := range a.SymmetricDim() {
		for j := range i + 1 {
			p.SetSym(i, j, a.At(i, j))
		}
	}
	return p
}

// maxAbs returns the largest absolute element.
func maxAbs(a mat.Matrix) float64 {
	return math.Max(mat.Max(a), -mat.Min(a))
}

func TestFactorSolvesAndKeepsTheMatrix(t *testing.T) {
	rng := testkit.Rand(t, 1)
	for _, n := range edges {
		for _, pad := range []int{0, 3} {
			if testing.Short() && (n > 257 || pad > 0 && n > 65) {
				continue
			}
			t.Run(fmt.Sprintf("n=%d,pad=%d", n, pad), func(t *testing.T) {
				a := definite(rng, n, pad)
				kept := mat.NewSymDense(n, nil)
				kept.CopySym(a)
				const shift = 0.25
				c, err := Factor(context.Background(), a, shift, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if !mat.Equal(a, kept) {
					t.Error("the upper triangle was changed")
				}
				checkFactored(t, &c.CholeskyFactor, shifted(kept, shift))
			})
		}
	}
}

func shifted(a *mat.SymDense, shift float64) *mat.SymDense {
	s := mat.NewSymDense(a.SymmetricDim(), nil)
	s.CopySym(a)
	for i := range a.SymmetricDim() {
		s.SetSym(i, i, s.At(i, i)+shift)
	}
	return s
}

// checkFactored holds every method of f against a, whose condition number is small.
// Backward stability (Higham, Accuracy and Stability, theorem 10.4) bounds residuals by
// c·n·ε·‖A‖·‖X‖; the factor 10 covers c, the condition (≤ 5) and both norms.
func checkFactored(t *testing.T, f *CholeskyFactor, a *mat.SymDense) {
	t.Helper()
	ctx := context.Background()
	n := a.SymmetricDim()
	tol := 10 * float64(n+10) * eps
	var reference mat.Cholesky
	if !reference.Factorize(a) {
		t.Fatal("gonum cannot factor the test matrix")
	}
	testkit.Close(t, "LogDet", f.LogDet(), reference.LogDet(), tol)
	for _, m := range []int{1, 2, rhsChunk + 1} {
		b := randomDense(testkit.Rand(t, uint64(m)), n, m)
		var x, ax mat.Dense
		if err := f.Solve(ctx, &x, b); err != nil {
			t.Fatal(err)
		}
		ax.Mul(a, &x)
		ax.Sub(&ax, b)
		if got := maxAbs(&ax); !(got <= tol*maxAbs(b)) {
			t.Errorf("residual of %d right-hand sides is %g", m, got)
		}
	}
	inverse, err := f.Inverse(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var product mat.Dense
	product.Mul(a, inverse)
	for i := range n {
		product.Set(i, i, product.At(i, i)-1)
	}
	if got := maxAbs(&product); !(got <= tol) {
		t.Errorf("|A·A⁻¹ − I| = %g", got)
	}
	diag, want := make([]float64, n), make([]float64, n)
	if err := f.InverseDiag(ctx, diag); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		want[i] = inverse.At(i, i)
	}
	testkit.CloseSlice(t, "InverseDiag", diag, want, tol)
	condition := mat.Norm(a, 1) * mat.Norm(inverse, 1)
	if got := f.Condition(); !(got <= condition*(1+tol) && got >= condition/3) {
		t.Errorf("Condition = %g, true value %g", got, condition)
	}
}

func TestFactorPackedAgrees(t *testing.T) {
	rng := testkit.Rand(t, 2)
	for _, n := range edges {
		if testing.Short() && n > 257 {
			continue
		}
		t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
			a := definite(rng, n, 0)
			f, err := FactorPacked(context.Background(), pack(a), 0.5, Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkFactored(t, f, shifted(a, 0.5))
		})
	}
}

func TestNotPositiveDefinite(t *testing.T) {
	rng := testkit.Rand(t, 3)
	for _, n := range []int{1, 40, 300} {
		for _, bad := range []int{0, n / 2, n - 1} {
			a := definite(rng, n, 0)
			a.SetSym(bad, bad, -7)
			p := pack(a)
			_, err := Factor(context.Background(), a, 0, Options{})
			var got *NotPositiveDefinite
			if !errors.As(err, &got) || got.Pivot != bad || !(got.Value <= -7) {
				t.Errorf("n=%d: error is %v, want pivot %d at most −7", n, err, bad)
			}
			_, err = FactorPacked(context.Background(), p, 0, Options{})
			if !errors.As(err, &got) || got.Pivot != bad {
				t.Errorf("n=%d: error of packed is %v, want pivot %d", n, err, bad)
			}
		}
	}
}

func TestFactorDiagShiftsEachRow(t *testing.T) {
	rng := testkit.Rand(t, 4)
	const n = 70
	a := definite(rng, n, 0)
	shift := make([]float64, n)
	want := mat.NewSymDense(n, nil)
	want.CopySym(a)
	for i := range shift {
		shift[i] = rng.Float64() // keeps the condition number of the test matrices
		want.SetSym(i, i, a.At(i, i)+shift[i])
	}
	p := pack(a)
	c, err := FactorDiag(context.Background(), a, shift, Options{})
	if err != nil {
		t.Fatal(err)
	}
	clear(shift) // must have been copied
	checkFactored(t, &c.CholeskyFactor, want)
	for i := range shift {
		shift[i] = want.At(i, i) - a.At(i, i)
	}
	f, err := FactorPackedDiag(context.Background(), p, shift, Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkFactored(t, f, want)
	if _, err := FactorDiag(context.Background(), a, shift[1:], Options{}); err == nil {
		t.Error("no error for a short shift")
	}
	if _, err := FactorPackedDiag(context.Background(), p, shift[1:], Options{}); err == nil {
		t.Error("no error for a short shift of a packed matrix")
	}
}

// TestRefine spoils a solution: the error of a step shrinks by about κ·n·ε, here below
// 1e-6, until the residual is that of rounding.
func TestRefine(t *testing.T) {
	rng := testkit.Rand(t, 5)
	const n, shift = 300, 1e-4
	a := gaussGram(t, n, 2, 1)
	c, err := Factor(context.Background(), a, shift, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := randomDense(rng, n, 3)
	var x, spoiled, r mat.Dense
	if err := c.Solve(context.Background(), &x, b); err != nil {
		t.Fatal(err)
	}
	spoiled.Apply(func(_, _ int, v float64) float64 { return v * (1 + 1e-3*rng.NormFloat64()) }, &x)
	residual := func(x *mat.Dense) float64 {
		r.Mul(shifted(a, shift), x)
		r.Sub(b, &r)
		return relativeNorm(&r, b)
	}
	before := residual(&spoiled)
	got, err := c.Refine(context.Background(), &spoiled, b)
	if err != nil {
		t.Fatal(err)
	}
	if after := residual(&spoiled); !(after <= 1e-6*before) || math.Abs(after-got) > n*eps*mat.Norm(&x, 2) {
		t.Errorf("residual fell from %g to %g, reported as %g", before, after, got)
	}
	for range 5 { // at the level of rounding a step may only help
		last := residual(&spoiled)
		if _, err := c.Refine(context.Background(), &spoiled, b); err != nil {
			t.Fatal(err)
		}
		if now := residual(&spoiled); now > last+n*eps*mat.Norm(&x, 2) {
			t.Errorf("residual rose from %g to %g", last, now)
		}
	}
	if _, err := c.Refine(context.Background(), new(mat.Dense), b); err == nil {
		t.Error("no error for an empty solution")
	}
}

func TestSolveInPlace(t *testing.T) {
	rng := testkit.Rand(t, 6)
	a := definite(rng, 80, 0)
	c, err := Factor(context.Background(), a, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := randomDense(rng, 80, 3)
	var want mat.Dense
	if err := c.Solve(context.Background(), &want, b); err != nil {
		t.Fatal(err)
	}
	if err := c.Solve(context.Background(), b, b); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(b, &want) {
		t.Error("solution in place differs")
	}
}

func TestWrongShapesAreErrors(t *testing.T) {
	c, err := Factor(context.Background(), definite(testkit.Rand(t, 7), 5, 0), 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for what, err := range map[string]error{
		"right-hand side":  c.Solve(ctx, new(mat.Dense), mat.NewDense(4, 1, nil)),
		"empty":            c.Solve(ctx, new(mat.Dense), new(mat.Dense)),
		"destination":      c.Solve(ctx, mat.NewDense(5, 2, nil), mat.NewDense(5, 1, nil)),
		"inverse diagonal": c.InverseDiag(ctx, make([]float64, 4)),
		"packed product":   NewPacked(3).Mul(ctx, new(mat.Dense), mat.NewDense(2, 1, nil)),
	} {
		if err == nil {
			t.Errorf("no error for a wrong %s", what)
		}
	}
}

func TestEmptyMatrix(t *testing.T) {
	ctx := context.Background()
	c, err := Factor(ctx, new(mat.SymDense), 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	inverse, err := c.Inverse(ctx)
	if err != nil || !inverse.IsEmpty() || c.LogDet() != 0 || c.Condition() != 0 || c.InverseDiag(ctx, nil) != nil {
		t.Error("the empty matrix is not factored as such")
	}
	if e, err := EigenSym(ctx, new(mat.SymDense), Options{}); err != nil || len(e.Values) != 0 {
		t.Errorf("eigenvalues of the empty matrix: %v, %v", e, err)
	}
}

func TestNotPositiveDefiniteNamesNaN(t *testing.T) {
	a := definite(testkit.Rand(t, 8), 30, 0)
	a.SetSym(3, 17, math.NaN())
	_, err := Factor(context.Background(), a, 0, Options{})
	var got *NotPositiveDefinite
	if !errors.As(err, &got) || got.Pivot != 17 || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("error is %v, want one that names row 17 and NaN", err)
	}
}

// TestConditionOfHilbert: κ₁ of the 8×8 Hilbert matrix is exactly 33872791095, from the
// closed form of its inverse (Choi, Tricks or treats with the Hilbert matrix, Amer. Math.
// Monthly 90, 1983) in rational arithmetic.
func TestConditionOfHilbert(t *testing.T) {
	a := fromFunc(8, func(i, j int) float64 { return 1 / float64(i+j+1) })
	c, err := Factor(context.Background(), a, 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	// The inverse of a matrix of condition κ has relative error κ·n·ε at most.
	testkit.Close(t, "condition", c.Condition(), 33872791095, 3.4e10*8*eps)
}

// Rows that have been whitened have the products of the inverse.
func TestWhiten(t *testing.T) {
	rng := testkit.Rand(t, 7)
	for _, n := range edges {
		a, x := definite(rng, n, 3), randomDense(rng, 131, n)
		f, err := Factor(t.Context(), a, 0.5, Options{})
		if err != nil {
			t.Fatal(err)
		}
		white, solved := mat.DenseCopyOf(x), new(mat.Dense)
		if err := f.Whiten(t.Context(), white); err != nil {
			t.Fatal(err)
		}
		if err := f.Solve(t.Context(), solved, mat.DenseCopyOf(x.T())); err != nil {
			t.Fatal(err)
		}
		var got, want mat.Dense
		got.Mul(white, white.T())
		want.Mul(x, solved)
		// The forward errors of both are below κ·n·ε, and κ below 5.
		testkit.CloseSlice(t, "products", got.RawMatrix().Data, want.RawMatrix().Data, 10*float64(n)*eps)
	}
	f, err := Factor(t.Context(), mat.NewSymDense(2, []float64{2, 1, 1, 2}), 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Whiten(t.Context(), mat.NewDense(1, 3, nil)); err == nil {
		t.Error("rows of the wrong length were accepted")
	}
}
