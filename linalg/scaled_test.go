package linalg_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/linalg"
)

// The factor of diag(s)·A·diag(s) + diag(d) is that of this matrix written out, to the bit, and
// A keeps its values. 400 rows are more than one tile.
func TestFactorScaledIsTheFactorOfTheScaledMatrix(t *testing.T) {
	const n = 400
	rng := testkit.Rand(t, 91)
	wide := mat.NewDense(n, n, nil)
	wide.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, wide)
	a, scaled := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	a.SymOuterK(1, wide)
	before := mat.NewSymDense(n, nil)
	before.CopySym(a)
	scale, shift := make([]float64, n), make([]float64, n)
	for i := range n {
		scale[i], shift[i] = rng.Float64(), 1+rng.Float64()
	}
	scale[7] = 0
	for i := range n {
		for j := i; j < n; j++ {
			scaled.SetSym(i, j, a.At(i, j)*(scale[i]*scale[j]))
		}
	}
	got, err := linalg.FactorScaled(t.Context(), a, scale, shift, linalg.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	want, err := linalg.FactorDiag(t.Context(), scaled, shift, linalg.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if got.LogDet() != want.LogDet() {
		t.Errorf("ln|A| = %v, want %v", got.LogDet(), want.LogDet())
	}
	testkit.Close(t, "norm", got.Norm(), want.Norm(), 1e-14*want.Norm())
	b, x, y := mat.NewDense(n, 2, nil), new(mat.Dense), new(mat.Dense)
	b.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, b)
	if err := got.Solve(t.Context(), x, b); err != nil {
		t.Fatal(err)
	}
	if err := want.Solve(t.Context(), y, b); err != nil {
		t.Fatal(err)
	}
	if !mat.Equal(x, y) {
		t.Error("solutions differ")
	}
	// The residual multiplies with the scaled matrix too.
	residual, err := got.Refine(t.Context(), x, b)
	if err != nil || !(residual < 1e-12) {
		t.Errorf("residual %g, error %v", residual, err)
	}
	if !mat.Equal(a, before) {
		t.Error("the matrix has changed")
	}
	if _, err := linalg.FactorScaled(t.Context(), a, scale[1:], shift, linalg.Options{}); err == nil {
		t.Error("a scale of another length was accepted")
	}
}
