package level3

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Gemm is [blas64.Gemm] by this implementation, registered or not.
func (impl Implementation) Gemm(tA, tB blas.Transpose, alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	k := a.Cols
	if tA != blas.NoTrans {
		k = a.Rows
	}
	impl.Dgemm(tA, tB, c.Rows, c.Cols, k, alpha, a.Data, a.Stride, b.Data, b.Stride, beta, c.Data, c.Stride)
}

// Syrk is [blas64.Syrk] by this implementation, registered or not.
func (impl Implementation) Syrk(t blas.Transpose, alpha float64, a blas64.General, beta float64, c blas64.Symmetric) {
	k := a.Cols
	if t != blas.NoTrans {
		k = a.Rows
	}
	impl.Dsyrk(c.Uplo, t, c.N, k, alpha, a.Data, a.Stride, beta, c.Data, c.Stride)
}

// Trsm is [blas64.Trsm] by this implementation, registered or not.
func (impl Implementation) Trsm(s blas.Side, tA blas.Transpose, alpha float64, a blas64.Triangular, b blas64.General) {
	impl.Dtrsm(s, a.Uplo, tA, a.Diag, b.Rows, b.Cols, alpha, a.Data, a.Stride, b.Data, b.Stride)
}
