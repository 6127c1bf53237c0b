package level3

import (
	"gonum.org/v1/gonum/blas"

	"mercer/internal/simd"
)

// solveLeaf is the order up to which a triangle is not cut: substitution runs at about
// half the speed of a product of that depth.
const solveLeaf = 32

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
	t.solve(r.substitution(), m, n, c)
}

// solve does first the half of X that the other half needs.
func (t triangle[F]) solve(by simd.Solve[F], m, n int, b matrix[F]) {
	order := t.order(m, n)
	if order <= solveLeaf {
		t.substitute(by, m, n, b)
		return
	}
	h := roundUp((order+1)/2, solveLeaf)
	second, rest, update, fromFirst := t.split(h, m, n, b)
	m1, n1 := t.resized(h, m, n)
	m2, n2 := t.resized(order-h, m, n)
	if fromFirst {
		t.solve(by, m1, n1, b)
		update(-1)
		second.solve(by, m2, n2, rest)
		return
	}
	second.solve(by, m2, n2, rest)
	update(-1)
	t.solve(by, m1, n1, b)
}

// substitute solves a leaf, a panel of right-hand sides after the other.
func (t triangle[F]) substitute(by simd.Solve[F], m, n int, b matrix[F]) {
	order := t.order(m, n)
	rows := t.r.buffer(order * (order + 1) / 2)
	defer t.r.buffers.Put(rows)
	backward := t.substitutionRows(*rows, order)
	t.chunks(m, n, b, func(m, n int, b matrix[F]) {
		if t.side == blas.Right { // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ
			b, n = b.t(), m
		}
		packed := t.r.buffer(order * by.Width)
		defer t.r.buffers.Put(packed)
		for j := 0; j < n; j += by.Width {
			part, width := b.from(0, j), min(by.Width, n-j)
			panel(*packed, part, order, width, by.Width, 1)
			by.Rows(*packed, backward, *rows, order)
			unpanel(part, *packed, order, width, by.Width)
		}
	})
}

// substitutionRows stores op(A), or its transpose if it stands on the right, in the
// order of the substitution, with the reciprocals of the diagonal. It reports whether
// the substitution begins with the last row.
func (t triangle[F]) substitutionRows(dst []F, order int) (backward bool) {
	a := t.a
	backward = t.upper
	if t.side == blas.Right {
		a, backward = a.t(), !t.upper
	}
	at := 0
	for i := range order {
		for j := range i {
			if backward {
				dst[at] = a.at(order-1-i, order-1-j)
			} else {
				dst[at] = a.at(i, j)
			}
			at++
		}
		dst[at] = 1
		if t.diag == blas.NonUnit {
			if backward {
				dst[at] = 1 / a.at(order-1-i, order-1-i)
			} else {
				dst[at] = 1 / a.at(i, i)
			}
		}
		at++
	}
	return backward
}
