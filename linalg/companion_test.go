package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/testkit"
)

func TestCompanionAndUnwhitenOfAFactor(t *testing.T) {
	for _, n := range []int{1, 5, 256, 300, 600} {
		if testing.Short() && n > 300 {
			continue
		}
		rng := testkit.Rand(t, uint64(n))
		a, d := mat.NewSymDense(n, nil), make([]float64, n)
		for i := range n {
			d[i] = rng.Float64() + 0.5
			for j := i; j < n; j++ {
				a.SetSym(i, j, math.Exp(-math.Abs(float64(i-j))/8))
			}
		}
		var chol mat.Cholesky
		if !chol.Factorize(a) {
			t.Fatal("the matrix is positive definite")
		}
		var lower mat.TriDense
		chol.LTo(&lower)
		var want mat.Dense
		want.Mul(mat.NewDiagDense(n, d), &lower)
		want.Mul(lower.T(), &want)
		x := mat.NewDense(3, n, nil)
		for i := range x.RawMatrix().Data {
			x.RawMatrix().Data[i] = rng.NormFloat64()
		}
		for _, workers := range []int{1, 3} {
			packed := NewPacked(n)
			for i := range n {
				for j := range i + 1 {
					packed.SetSym(i, j, a.At(i, j))
				}
			}
			f, err := FactorPacked(t.Context(), packed, 0, Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			got, err := f.Companion(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			dense, err := Factor(t.Context(), mat.NewSymDense(n, append([]float64(nil), a.RawSymmetric().Data...)), 0, Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			other, err := dense.Companion(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				for j := range i + 1 {
					testkit.Close(t, "LᵀDL", got.At(i, j), want.At(i, j), 1e-13*float64(n))
					testkit.Close(t, "LᵀDL of a dense factor", other.At(i, j), want.At(i, j), 1e-13*float64(n))
				}
			}
			if _, err := f.Companion(t.Context(), d[1:]); err == nil {
				t.Error("a weight is missing and nobody says so")
			}
			y, back := mat.DenseCopyOf(x), new(mat.Dense)
			if err := f.Unwhiten(t.Context(), y); err != nil {
				t.Fatal(err)
			}
			back.Mul(y, &lower)
			for i, v := range back.RawMatrix().Data {
				testkit.Close(t, "c after L⁻ᵀ and Lᵀ", v, x.RawMatrix().Data[i], 1e-12*float64(n))
			}
		}
	}
}
