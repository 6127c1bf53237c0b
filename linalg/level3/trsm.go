package level3

import "gonum.org/v1/gonum/blas"

// solveLeaf is the order up to which a triangle is not cut: a panel of as many rows of
// right-hand sides stays in the first cache.
const solveLeaf = blockK

// trsm is Dtrsm or Strsm.
func (r routines[F]) trsm(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha F, a []F, lda int, b []F, ldb int) {
	t, c, ok := r.triangular(s, ul, tA, d, m, n, a, lda, b, ldb)
	if !ok || alpha == 0 {
		r.gonum.trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	if alpha != 1 {
		for i := range m {
			row := b[i*ldb : i*ldb+n]
			for j := range row {
				row[j] *= alpha
			}
		}
	}
	t.solve(m, n, c)
}

// solve does first the half of X that the other half needs.
func (t triangle[F]) solve(m, n int, b matrix[F]) {
	order := t.order(m, n)
	if order <= solveLeaf {
		t.substitute(m, n, b)
		return
	}
	h := roundUp((order+1)/2, solveLeaf)
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

// substitute solves a leaf, a panel of right-hand sides after the other.
func (t triangle[F]) substitute(m, n int, b matrix[F]) {
	a, upper, order, count := t.a, t.upper, m, n
	if t.side == blas.Right { // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ
		a, upper, b, order, count = a.t(), !upper, b.t(), n, m
	}
	s := t.r.packSteps(a, upper, t.diag == blas.Unit, order)
	defer t.r.buffers.Put(s.packed)
	const panels = 4 // in a task
	width := s.gemm.Cols
	each(t.r.workers(m, n, order), (count+panels*width-1)/(panels*width), func(task int) {
		x := t.r.buffer(order * width)
		defer t.r.buffers.Put(x)
		for j := task * panels * width; j < min((task+1)*panels*width, count); j += width {
			part, cols := b.from(0, j), min(width, count-j)
			panel(*x, part, order, cols, width, 1)
			s.solve(*x)
			unpanel(part, *x, order, cols, width)
		}
	})
}
