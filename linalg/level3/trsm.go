package level3

import (
	"sync"

	"gonum.org/v1/gonum/blas"

	"mercer/internal/simd"
)

// solveLeaf is the order up to which a triangle is not cut: substitution runs at about
// half the speed of a product of that depth.
const solveLeaf = 32

var substitution = sync.OnceValue(func() simd.Solve { return simd.SolveAt(simd.Best()) })

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
	t.solve(substitution(), m, n, c)
}

// solve does first the half of X that the other half needs.
func (t triangle) solve(by simd.Solve, m, n int, b matrix) {
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
func (t triangle) substitute(by simd.Solve, m, n int, b matrix) {
	order := t.order(m, n)
	rows := buffer(order * (order + 1) / 2)
	defer buffers.Put(rows)
	backward := t.substitutionRows(*rows, order)
	t.chunks(m, n, b, func(m, n int, b matrix) {
		if t.side == blas.Right { // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ
			b, n = b.t(), m
		}
		packed := buffer(order * by.Width)
		defer buffers.Put(packed)
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
func (t triangle) substitutionRows(dst []float64, order int) (backward bool) {
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
