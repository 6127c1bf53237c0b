package level3

import "gonum.org/v1/gonum/blas"

// Dtrsm solves op(A)·X = alpha·B, or with s = Right X·op(A) = alpha·B, for the m×n
// matrix X, which replaces B. A is triangular.
func (impl Implementation) Dtrsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int) {
	t, c, ok := impl.triangular(s, ul, tA, d, m, n, a, lda, b, ldb)
	if !ok || alpha == 0 {
		impl.Implementation.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	if alpha != 1 {
		for i := range m {
			r := b[i*ldb : i*ldb+n]
			for j := range r {
				r[j] *= alpha
			}
		}
	}
	t.solve(m, n, c)
}

// solve does first the half of X that the other half needs.
func (t triangle) solve(m, n int, b matrix) {
	order := t.order(m, n)
	if order <= triangularLeaf {
		t.chunks(m, n, b, func(m, n int, b matrix) {
			t.impl.Implementation.Dtrsm(t.side, t.uplo, t.a.op(), t.diag, m, n, 1, t.a.data, t.a.ld, b.data, b.ld)
		})
		return
	}
	h := roundUp((order+1)/2, triangularLeaf)
	second, rest, update, fromFirst := t.split(h, m, n, b)
	m1, n1 := t.resized(h, m, n)
	m2, n2 := t.resized(order-h, m, n)
	if fromFirst {
		t.solve(m1, n1, b)
		update(-1)
		second.solve(m2, n2, rest)
		return
	}
	second.solve(m2, n2, rest)
	update(-1)
	t.solve(m1, n1, b)
}
