package level3

import "gonum.org/v1/gonum/blas"

// Sgemm computes C ← alpha·op(A)·op(B) + beta·C, where op(A) is m×k and op(B) k×n.
func (impl Implementation) Sgemm(tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	single.by(impl.Workers).gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ssymm computes the m×n matrix C ← alpha·A·B + beta·C, or with s = Right
// C ← alpha·B·A + beta·C, where A is symmetric and given by its triangle ul.
func (impl Implementation) Ssymm(s blas.Side, ul blas.Uplo, m, n int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	single.by(impl.Workers).symm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ssyrk computes the triangle ul of C ← alpha·A·Aᵀ + beta·C, or with tA = Trans of
// C ← alpha·Aᵀ·A + beta·C, where C is n×n and op(A) n×k.
func (impl Implementation) Ssyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float32, a []float32, lda int, beta float32, c []float32, ldc int) {
	single.by(impl.Workers).syrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
}

// Strmm computes the m×n matrix B ← alpha·op(A)·B, or with s = Right
// B ← alpha·B·op(A), where A is triangular.
func (impl Implementation) Strmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32, a []float32, lda int, b []float32, ldb int) {
	single.by(impl.Workers).trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Strsm solves op(A)·X = alpha·B, or with s = Right X·op(A) = alpha·B, for the m×n
// matrix X, which replaces B. A is triangular.
func (impl Implementation) Strsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32, a []float32, lda int, b []float32, ldb int) {
	single.by(impl.Workers).trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}
