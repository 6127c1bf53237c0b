package level3

import (
	"gonum.org/v1/gonum/blas"

	"example.org/mercer/internal/simd"
)

// symmLeaf is the order up to which a symmetric matrix is copied to be full.
const symmLeaf = 192

// symm is Dsymm or Ssymm.
func (r routines[F]) symm(s blas.Side, ul blas.Uplo, m, n int, alpha F, a []F, lda int, b []F, ldb int, beta F, c []F, ldc int) {
	order := m
	if s == blas.Right {
		order = n
	}
	x, y, z := matrix[F]{a, lda, false}, matrix[F]{b, ldb, false}, matrix[F]{c, ldc, false}
	if small(m, n, order) || alpha == 0 || !isSide(s) || !isUplo(ul) || !x.holds(order, order) || !y.holds(m, n) || !z.holds(m, n) {
		r.gonum.symm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	full := r.buffer(min(order, symmLeaf) * min(order, symmLeaf))
	defer r.buffers.Put(full)
	if s == blas.Right {
		r.symmRight(ul == blas.Upper, m, n, alpha, x, y, beta, z, *full)
		return
	}
	r.symmLeft(ul == blas.Upper, m, n, alpha, x, y, beta, z, *full)
}

func isSide(s blas.Side) bool { return s == blas.Left || s == blas.Right }

func (r routines[F]) symmLeft(upper bool, m, n int, alpha F, a, b matrix[F], beta F, c matrix[F], full []F) {
	if m <= symmLeaf {
		r.product(m, n, m, alpha, mirrored(upper, m, a, full), b, beta, c)
		return
	}
	h := half(m)
	beside := offDiagonal(upper, h, a)
	r.symmLeft(upper, h, n, alpha, a, b, beta, c, full)
	r.product(h, n, m-h, alpha, beside, b.from(h, 0), 1, c)
	r.product(m-h, n, h, alpha, beside.t(), b, beta, c.from(h, 0))
	r.symmLeft(upper, m-h, n, alpha, a.from(h, h), b.from(h, 0), 1, c.from(h, 0), full)
}

func (r routines[F]) symmRight(upper bool, m, n int, alpha F, a, b matrix[F], beta F, c matrix[F], full []F) {
	if n <= symmLeaf {
		r.product(m, n, n, alpha, b, mirrored(upper, n, a, full), beta, c)
		return
	}
	h := half(n)
	beside := offDiagonal(upper, h, a)
	r.symmRight(upper, m, h, alpha, a, b, beta, c, full)
	r.product(m, h, n-h, alpha, b.from(0, h), beside.t(), 1, c)
	r.product(m, n-h, h, alpha, b, beside, beta, c.from(0, h))
	r.symmRight(upper, m, n-h, alpha, a.from(h, h), b.from(0, h), 1, c.from(0, h), full)
}

// half returns about n/2, a multiple of 48 so that parts are made of whole tiles.
func half(n int) int { return roundUp((n+1)/2, 48) }

// offDiagonal returns rows before h and columns from h on of a symmetric matrix.
func offDiagonal[F simd.Float](upper bool, h int, a matrix[F]) matrix[F] {
	if upper {
		return a.from(0, h)
	}
	return a.from(h, 0).t()
}

// mirrored writes both triangles of a symmetric matrix of order n to full.
func mirrored[F simd.Float](upper bool, n int, a matrix[F], full []F) matrix[F] {
	for i := range n {
		for j := range i + 1 {
			v := a.data[i*a.ld+j]
			if upper {
				v = a.data[j*a.ld+i]
			}
			full[i*n+j], full[j*n+i] = v, v
		}
	}
	return matrix[F]{full, n, false}
}
