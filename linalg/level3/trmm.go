package level3

import "gonum.org/v1/gonum/blas"

// triangularLeaf is the order up to which a triangle is not cut. It is small because
// the loops over a leaf are far slower than products.
const triangularLeaf = 32

// trmm is Dtrmm or Strmm.
func (r routines[F]) trmm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha F, a []F, lda int, b []F, ldb int) {
	t, c, ok := r.triangular(s, ul, tA, d, m, n, a, lda, b, ldb)
	if !ok || alpha == 0 {
		r.gonum.trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	t.multiply(m, n, alpha, c)
}

// multiply does first the half of B that takes from the other, which must still hold
// what it held.
func (t triangle[F]) multiply(m, n int, alpha F, b matrix[F]) {
	order := t.order(m, n)
	if order <= triangularLeaf {
		t.chunks(m, n, b, func(m, n int, b matrix[F]) {
			t.r.gonum.trmm(t.side, t.uplo, t.a.op(), t.diag, m, n, alpha, t.a.data, t.a.ld, b.data, b.ld)
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
