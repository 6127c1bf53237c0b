package level3

import "gonum.org/v1/gonum/blas"

// symmLeaf is the order up to which a symmetric matrix is copied to be full.
const symmLeaf = 192

// Dsymm computes the m×n matrix C ← alpha·A·B + beta·C, or with s = Right
// C ← alpha·B·A + beta·C, where A is symmetric and given by its triangle ul.
func (impl Implementation) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	order := m
	if s == blas.Right {
		order = n
	}
	x, y, z := matrix{a, lda, false}, matrix{b, ldb, false}, matrix{c, ldc, false}
	if small(m, n, order) || alpha == 0 || !isSide(s) || !isUplo(ul) || !x.holds(order, order) || !y.holds(m, n) || !z.holds(m, n) {
		impl.Implementation.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	full := buffer(min(order, symmLeaf) * min(order, symmLeaf))
	defer buffers.Put(full)
	if s == blas.Right {
		impl.symmRight(ul == blas.Upper, m, n, alpha, x, y, beta, z, *full)
		return
	}
	impl.symmLeft(ul == blas.Upper, m, n, alpha, x, y, beta, z, *full)
}

func isSide(s blas.Side) bool { return s == blas.Left || s == blas.Right }

func (impl Implementation) symmLeft(upper bool, m, n int, alpha float64, a, b matrix, beta float64, c matrix, full []float64) {
	if m <= symmLeaf {
		impl.product(m, n, m, alpha, mirrored(upper, m, a, full), b, beta, c)
		return
	}
	h := half(m)
	beside := offDiagonal(upper, h, a)
	impl.symmLeft(upper, h, n, alpha, a, b, beta, c, full)
	impl.product(h, n, m-h, alpha, beside, b.from(h, 0), 1, c)
	impl.product(m-h, n, h, alpha, beside.t(), b, beta, c.from(h, 0))
	impl.symmLeft(upper, m-h, n, alpha, a.from(h, h), b.from(h, 0), 1, c.from(h, 0), full)
}

func (impl Implementation) symmRight(upper bool, m, n int, alpha float64, a, b matrix, beta float64, c matrix, full []float64) {
	if n <= symmLeaf {
		impl.product(m, n, n, alpha, b, mirrored(upper, n, a, full), beta, c)
		return
	}
	h := half(n)
	beside := offDiagonal(upper, h, a)
	impl.symmRight(upper, m, h, alpha, a, b, beta, c, full)
	impl.product(m, h, n-h, alpha, b.from(0, h), beside.t(), 1, c)
	impl.product(m, n-h, h, alpha, b, beside, beta, c.from(0, h))
	impl.symmRight(upper, m, n-h, alpha, a.from(h, h), b.from(0, h), 1, c.from(0, h), full)
}

// offDiagonal returns rows before h and columns from h on of a symmetric matrix.
func offDiagonal(upper bool, h int, a matrix) matrix {
	if upper {
		return a.from(0, h)
	}
	return a.from(h, 0).t()
}

// mirrored writes both triangles of a symmetric matrix of order n to full.
func mirrored(upper bool, n int, a matrix, full []float64) matrix {
	for i := range n {
		for j := range i + 1 {
			v := a.data[i*a.ld+j]
			if upper {
				v = a.data[j*a.ld+i]
			}
			full[i*n+j], full[j*n+i] = v, v
		}
	}
	return matrix{full, n, false}
}
