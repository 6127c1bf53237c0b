package linalg

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
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
			got, err := f.LTDL(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			dense, err := Factor(t.Context(), mat.NewSymDense(n, append([]float64(nil), a.RawSymmetric().Data...)), 0, Options{Workers: workers})
			if err != nil {
				t.Fatal(err)
			}
			other, err := dense.LTDL(t.Context(), d)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				for j := range i + 1 {
					testkit.Close(t, "LᵀDL", got.At(i, j), want.At(i, j), 1e-13*float64(n))
					testkit.Close(t, "LᵀDL of a dense factor", other.At(i, j), want.At(i, j), 1e-13*float64(n))
				}
			}
			if _, err := f.LTDL(t.Context(), d[1:]); err == nil {
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

// TestAddProductsSingleIsTheProduct: a sum of r products in float32 is off by at most r·u/(1 − r·u)
// of that of their sizes, u = 2⁻²⁴, and what it is added to by half a unit of float64.
func TestAddProductsSingleIsTheProduct(t *testing.T) {
	rng := testkit.Rand(t, 4)
	for _, size := range [][2]int{{1, 1}, {5, 3}, {130, 300}, {70, 513}} {
		r, n := size[0], size[1]
		x, given := mat.NewDense(r, n, nil), blas32.General{Rows: r, Cols: n, Stride: n + 3, Data: make([]float32, r*(n+3))}
		for i := range r {
			for j := range n {
				v := float32(rng.NormFloat64())
				given.Data[i*given.Stride+j] = v
				x.Set(i, j, float64(v))
			}
		}
		var want, terms, sizes mat.Dense
		want.Mul(x.T(), x)
		sizes.Apply(func(_, _ int, v float64) float64 { return math.Abs(v) }, x)
		terms.Mul(sizes.T(), &sizes)
		var first *Packed
		for _, workers := range []int{1, 2, 3, 8} {
			got := NewPacked(n)
			got.SetSym(n-1, 0, 7)
			if err := got.AddProductsSingle(t.Context(), 3, given, Options{Workers: workers}); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			} else if !slices.Equal(got.data, first.data) {
				t.Errorf("%d×%d: %d workers give other bits than 1", r, n, workers)
			}
		}
		first.SetSym(n-1, 0, first.At(n-1, 0)-7)
		ru := float64(r) * 0x1p-24
		for i := range n {
			for j := range i + 1 {
				testkit.Close(t, "α Σ xxᵀ", first.At(i, j), 3*want.At(i, j), 3*ru/(1-ru)*terms.At(i, j)+0x1p-49)
			}
		}
	}
	if err := NewPacked(2).AddProductsSingle(t.Context(), 1, blas32.General{Rows: 1, Cols: 3, Stride: 3, Data: make([]float32, 3)}, Options{}); err == nil {
		t.Error("rows of 3 numbers were added to a matrix of order 2")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := NewPacked(3).AddProductsSingle(ended, 1, blas32.General{Rows: 1, Cols: 3, Stride: 3, Data: make([]float32, 3)}, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}
