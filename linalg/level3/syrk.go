package level3

import "gonum.org/v1/gonum/blas"

// syrk is Dsyrk or Ssyrk: a product of which tiles beyond the diagonal are left out.
func (r routines[F]) syrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha F, a []F, lda int, beta F, c []F, ldc int) {
	x := matrix[F]{a, lda, tA != blas.NoTrans}
	if small(n, n, k) || alpha == 0 || !isUplo(ul) || !isTranspose(tA) || !x.holds(n, k) || !(matrix[F]{c, ldc, false}).holds(n, n) {
		r.gonum.syrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	which := below
	if ul == blas.Upper {
		which = above
	}
	r.multiply(r.microkernel(), r.workers(n, n, k), which, n, n, k, alpha, x, x.t(), beta, c, ldc)
}

func isUplo(ul blas.Uplo) bool { return ul == blas.Upper || ul == blas.Lower }

// t returns the transpose.
func (x matrix[F]) t() matrix[F] { return matrix[F]{x.data, x.ld, !x.trans} }

// op returns how BLAS calls reading x.
func (x matrix[F]) op() blas.Transpose {
	if x.trans {
		return blas.Trans
	}
	return blas.NoTrans
}

// product computes C ← alpha·A·B + beta·C for an m×n matrix C.
func (r routines[F]) product(m, n, k int, alpha F, a, b matrix[F], beta F, c matrix[F]) {
	r.gemm(a.op(), b.op(), m, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data, c.ld)
}
