package level3

import (
	"gonum.org/v1/gonum/blas"

	"example.org/mercer/internal/simd"
)

// The product is cut in blocks as in BLIS. Of B, blockK×blockN numbers are packed for
// the third level cache; of A, blockM×blockK for the second; a panel of the packed B,
// blockK times the width of a tile, stays in the first. blockM and blockN are multiples
// of the tiles of all microkernels.
//
// Van Zee and van de Geijn, BLIS: a framework for rapidly instantiating BLAS
// functionality, ACM Trans. Math. Softw. 41 (2015).
const (
	blockM = 192
	blockN = 3072
	blockK = 256
)

// smallFlops is the number of multiply-adds below which gonum's product is not slower.
const smallFlops = 12 * 12 * 12

// gemm is Dgemm or Sgemm.
func (r routines[F]) gemm(tA, tB blas.Transpose, m, n, k int, alpha F, a []F, lda int, b []F, ldb int, beta F, c []F, ldc int) {
	left, right := matrix[F]{a, lda, tA != blas.NoTrans}, matrix[F]{b, ldb, tB != blas.NoTrans}
	column := n == 1 && m > 1 && k > 1
	if small(m, n, k) && !column || alpha == 0 || !isTranspose(tA) || !isTranspose(tB) || !left.holds(m, k) || !right.holds(k, n) || !(matrix[F]{c, ldc, false}).holds(m, n) {
		r.gonum.gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	if column {
		step := ldb
		if right.trans {
			step = 1
		}
		r.column(tA, m, k, alpha, a, lda, b, step, beta, c, ldc)
		return
	}
	r.multiply(r.microkernel(), r.workers(m, n, k), all, m, n, k, alpha, left, right, beta, c, ldc)
}

// small reports whether a product is not worth packing.
func small(m, n, k int) bool {
	return m < 2 || n < 2 || k < 2 || float64(m)*float64(n)*float64(k) < smallFlops
}

func isTranspose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}

// matrix is a factor of a product, or its transpose.
type matrix[F simd.Float] struct {
	data  []F
	ld    int
	trans bool
}

// holds reports whether there is space for r×c numbers.
func (x matrix[F]) holds(r, c int) bool {
	if x.trans {
		r, c = c, r
	}
	return x.ld >= c && len(x.data) >= (r-1)*x.ld+c
}

// from returns the matrix without its first i rows and j columns.
func (x matrix[F]) from(i, j int) matrix[F] {
	if x.trans {
		i, j = j, i
	}
	return matrix[F]{x.data[i*x.ld+j:], x.ld, x.trans}
}

// at returns element (i, j).
func (x matrix[F]) at(i, j int) F {
	if x.trans {
		i, j = j, i
	}
	return x.data[i*x.ld+j]
}

// parts cuts n into equal parts of at most the given size, and returns their number and
// their size rounded up to a multiple of unit.
func parts(n, most, unit int) (count, size int) {
	count = (n + most - 1) / most
	size = roundUp((n+count-1)/count, unit)
	return (n + size - 1) / size, size
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// multiply is gemm for arguments that are known to be right and not small. Only a part of
// C is touched.
func (p *precision[F]) multiply(g simd.Gemm[F], workers int, which part, m, n, k int, alpha F, a, b matrix[F], beta F, c []F, ldc int) {
	countN, sizeN := parts(n, blockN, g.Cols)
	countK, sizeK := parts(k, blockK, 8)
	packed := p.buffer(sizeN * sizeK)
	defer p.buffers.Put(packed)
	for jn := range countN {
		j0, width := jn*sizeN, min(sizeN, n-jn*sizeN)
		for jk := range countK {
			p0, depth := jk*sizeK, min(sizeK, k-jk*sizeK)
			t := &block[F]{
				precision: p, gemm: g, part: which, at: j0, rows: m, cols: width, depth: depth, alpha: alpha, add: beta != 0 || jk > 0,
				a: a.from(0, p0), b: *packed, c: c[j0:], ldc: ldc,
			}
			if jk == 0 && beta != 0 && beta != 1 {
				t.scale(beta)
			}
			if right := b.from(p0, j0); width == g.Cols && right.ld == width && !right.trans {
				t.b = right.data[:depth*width] // a panel as it is
			} else {
				packRight(workers, t.b, right, depth, width, g.Cols)
			}
			t.multiply(workers)
		}
	}
}
