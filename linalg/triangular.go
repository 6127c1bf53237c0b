package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// leafSize is the order below which a tile is factored by loops over single numbers.
// Above it the recursion turns all work into matrix products.
const leafSize = 32

// lower returns the lower triangle of g.
func lower(g blas64.General) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: g.Rows, Stride: g.Stride, Data: g.Data}
}

// subtractProduct computes C ← C − A·op(B). A single row is a product of a matrix
// and a vector, which level 2 does without the overhead of level 3.
func subtractProduct(c, a blas64.General, op blas.Transpose, b blas64.General) {
	switch {
	case c.Rows == 0 || c.Cols == 0 || a.Cols == 0:
	case c.Rows == 1 && op == blas.Trans:
		blas64.Gemv(blas.NoTrans, -1, b, vector(row(a, 0)), 1, vector(row(c, 0)))
	case c.Rows == 1:
		blas64.Gemv(blas.Trans, -1, b, vector(row(a, 0)), 1, vector(row(c, 0)))
	default:
		serial.Gemm(blas.NoTrans, op, -1, a, b, 1, c)
	}
}

// factorTile replaces the lower triangle of the square tile a by its Cholesky factor.
// The strict upper triangle is neither read nor written. If a pivot is not a positive
// finite number it returns its index and value.
//
//	┌ A₁₁     ┐   L₁₁ = chol(A₁₁), L₂₁ = A₂₁·L₁₁⁻ᵀ, L₂₂ = chol(A₂₂ − L₂₁·L₂₁ᵀ)
//	└ A₂₁ A₂₂ ┘
func factorTile(a blas64.General) (pivot int, value float64, ok bool) {
	n := a.Rows
	if n <= leafSize {
		return factorLeaf(a)
	}
	h := n / 2
	a11, a21, a22 := view(a, 0, 0, h, h), view(a, h, 0, n-h, h), view(a, h, h, n-h, n-h)
	if p, v, ok := factorTile(a11); !ok {
		return p, v, false
	}
	divideTrans(a21, a11)
	subtractSquare(a22, a21)
	p, v, ok := factorTile(a22)
	return h + p, v, ok
}

func factorLeaf(a blas64.General) (pivot int, value float64, ok bool) {
	for i := range a.Rows {
		ri := a.Data[i*a.Stride : i*a.Stride+i+1]
		for j := range i {
			rj := a.Data[j*a.Stride : j*a.Stride+j+1]
			s := ri[j]
			for k, v := range rj[:j] {
				s -= v * ri[k]
			}
			ri[j] = s / rj[j]
		}
		s := ri[i]
		for _, v := range ri[:i] {
			s -= v * v
		}
		if !(s > 0) || math.IsInf(s, 1) {
			return i, s, false
		}
		ri[i] = math.Sqrt(s)
	}
	return 0, 0, true
}

// subtractSquare computes the lower triangle of C ← C − A·Aᵀ.
func subtractSquare(c, a blas64.General) {
	serial.Syrk(blas.NoTrans, -1, a, 1, blas64.Symmetric{Uplo: blas.Lower, N: c.Rows, Stride: c.Stride, Data: c.Data})
}

// divideTrans computes B ← B·L⁻ᵀ for the lower triangular tile l: each row b of B
// becomes the solution x of L·x = b.
func divideTrans(b, l blas64.General) {
	serial.Trsm(blas.Right, blas.Trans, 1, lower(l), b)
}

// divide computes B ← B·L⁻¹ for the lower triangular tile l: each row b of B becomes
// the solution x of Lᵀ·x = b.
func divide(b, l blas64.General) {
	serial.Trsm(blas.Right, blas.NoTrans, 1, lower(l), b)
}
