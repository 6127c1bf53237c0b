package level3

import "gonum.org/v1/gonum/blas"

// triangularLeaf is the order up to which a triangle is not cut. It is small because
// the loops over a leaf are far slower than products.
const triangularLeaf = 32

// Dtrmm computes the m×n matrix B ← alpha·op(A)·B, or with s = Right
// B ← alpha·B·op(A), where A is triangular.
func (impl Implementation) Dtrmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	t, c, ok := impl.triangular(s, ul, tA, d, m, n, a, lda, b, ldb)
	if !ok || alpha == 0 {
		impl.Implementation.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	t.multiply(m, n, alpha, c)
}

// multiply does first the half of B that takes from the other, which must still hold
// what it held.
func (t triangle) multiply(m, n int, alpha float64, b matrix) {
	order := t.order(m, n)
	if order <= triangularLeaf {
		t.chunks(m, n, b, func(m, n int, b matrix) {
			t.impl.Implementation.Dtrmm(t.side, t.uplo, t.a.op(), t.diag, m, n, alpha, t.a.data, t.a.ld, b.data, b.ld)
		})
		return
	}
	h := roundUp((order+1)/2, triangularLeaf)
	second, rest, update, fromFirst := t.split(h, m, n, b)
	m1, n1 := t.resized(h, m, n)
	m2, n2 := t.resized(order-h, m, n)
	if fromFirst {
		second.multiply(m2, n2, alpha, rest)
		update(alpha)
		t.multiply(m1, n1, alpha, b)
		return
	}
	t.multiply(m1, n1, alpha, b)
	update(alpha)
	second.multiply(m2, n2, alpha, rest)
}
