package level3

import "gonum.org/v1/gonum/blas"

// syrkLeaf is the order up to which all of a symmetric product is computed and half of
// it thrown away.
const syrkLeaf = 48

// Dsyrk computes the triangle ul of C ← alpha·A·Aᵀ + beta·C, or with tA = Trans of
// C ← alpha·Aᵀ·A + beta·C, where C is n×n and op(A) n×k.
func (impl Implementation) Dsyrk(ul blas.Uplo, tA blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64, ldc int) {
	x := matrix{a, lda, tA != blas.NoTrans}
	if small(n, n, k) || alpha == 0 || !isUplo(ul) || !isTranspose(tA) || !x.holds(n, k) || !(matrix{c, ldc, false}).holds(n, n) {
		impl.Implementation.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	leaf := buffer(syrkLeaf * syrkLeaf)
	defer buffers.Put(leaf)
	impl.syrk(ul == blas.Upper, n, k, alpha, x, beta, matrix{c, ldc, false}, *leaf)
}

func isUplo(ul blas.Uplo) bool { return ul == blas.Upper || ul == blas.Lower }

// syrk computes the off-diagonal half as one product and the two triangles alike.
func (impl Implementation) syrk(upper bool, n, k int, alpha float64, a matrix, beta float64, c matrix, leaf []float64) {
	if n > syrkLeaf {
		h := half(n)
		rest := a.from(h, 0)
		impl.syrk(upper, h, k, alpha, a, beta, c, leaf)
		if upper {
			impl.product(h, n-h, k, alpha, a, rest.t(), beta, c.from(0, h))
		} else {
			impl.product(n-h, h, k, alpha, rest, a.t(), beta, c.from(h, 0))
		}
		impl.syrk(upper, n-h, k, alpha, rest, beta, c.from(h, h), leaf)
		return
	}
	impl.product(n, n, k, alpha, a, a.t(), 0, matrix{leaf, n, false})
	for i := range n {
		from, to := 0, i+1
		if upper {
			from, to = i, n
		}
		r := c.data[i*c.ld+from : i*c.ld+to]
		for j, v := range leaf[i*n+from : i*n+to] {
			if beta == 0 {
				r[j] = v
			} else {
				r[j] = beta*r[j] + v
			}
		}
	}
}

// half returns about n/2, a multiple of 24 so that parts are made of whole tiles.
func half(n int) int { return roundUp((n+1)/2, 24) }

// t returns the transpose.
func (x matrix) t() matrix { return matrix{x.data, x.ld, !x.trans} }

// op returns how BLAS calls reading x.
func (x matrix) op() blas.Transpose {
	if x.trans {
		return blas.Trans
	}
	return blas.NoTrans
}

// product computes C ← alpha·A·B + beta·C for an m×n matrix C.
func (impl Implementation) product(m, n, k int, alpha float64, a, b matrix, beta float64, c matrix) {
	impl.Dgemm(a.op(), b.op(), m, n, k, alpha, a.data, a.ld, b.data, b.ld, beta, c.data, c.ld)
}
