package level3

import "gonum.org/v1/gonum/blas"

// syrkLeaf is the order up to which all of a symmetric product is computed and half of
// it thrown away.
const syrkLeaf = 48

// syrk is Dsyrk or Ssyrk.
func (r routines[F]) syrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha F, a []F, lda int, beta F, c []F, ldc int) {
	x := matrix[F]{a, lda, tA != blas.NoTrans}
	if small(n, n, k) || alpha == 0 || !isUplo(ul) || !isTranspose(tA) || !x.holds(n, k) || !(matrix[F]{c, ldc, false}).holds(n, n) {
		r.gonum.syrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	leaf := r.buffer(syrkLeaf * syrkLeaf)
	defer r.buffers.Put(leaf)
	r.halves(ul == blas.Upper, n, k, alpha, x, beta, matrix[F]{c, ldc, false}, *leaf)
}

func isUplo(ul blas.Uplo) bool { return ul == blas.Upper || ul == blas.Lower }

// halves computes the off-diagonal half as one product and the two triangles alike.
func (r routines[F]) halves(upper bool, n, k int, alpha F, a matrix[F], beta F, c matrix[F], leaf []F) {
	if n > syrkLeaf {
		h := half(n)
		rest := a.from(h, 0)
		r.halves(upper, h, k, alpha, a, beta, c, leaf)
		if upper {
			r.product(h, n-h, k, alpha, a, rest.t(), beta, c.from(0, h))
		} else {
			r.product(n-h, h, k, alpha, rest, a.t(), beta, c.from(h, 0))
		}
		r.halves(upper, n-h, k, alpha, rest, beta, c.from(h, h), leaf)
		return
	}
	r.product(n, n, k, alpha, a, a.t(), 0, matrix[F]{leaf, n, false})
	for i := range n {
		from, to := 0, i+1
		if upper {
			from, to = i, n
		}
		row := c.data[i*c.ld+from : i*c.ld+to]
		for j, v := range leaf[i*n+from : i*n+to] {
			if beta == 0 {
				row[j] = v
			} else {
				row[j] = beta*row[j] + v
			}
		}
	}
}

// half returns about n/2, a multiple of 48 so that parts are made of whole tiles.
func half(n int) int { return roundUp((n+1)/2, 48) }

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
