package level3

import (
	"gonum.org/v1/gonum/blas"

	"example.org/mercer/internal/simd"
)

// triangle is op(A) of a triangular matrix A beside an m×n matrix B that is replaced.
type triangle[F simd.Float] struct {
	r     routines[F]
	side  blas.Side
	uplo  blas.Uplo // of A
	diag  blas.Diag
	a     matrix[F]
	upper bool // of op(A)
}

// triangular returns the operands of a triangular routine, and whether the arguments
// are right and the work is not small.
func (r routines[F]) triangular(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, a []F, lda int, b []F, ldb int) (triangle[F], matrix[F], bool) {
	order := m
	if s == blas.Right {
		order = n
	}
	trans := tA != blas.NoTrans
	t := triangle[F]{r, s, ul, d, matrix[F]{a, lda, trans}, (ul == blas.Upper) != trans}
	c := matrix[F]{b, ldb, false}
	ok := isSide(s) && isUplo(ul) && isTranspose(tA) && (d == blas.Unit || d == blas.NonUnit) &&
		!small(m, n, order) && t.a.holds(order, order) && c.holds(m, n)
	return t, c, ok
}

// from returns the triangle without its first h rows and columns.
func (t triangle[F]) from(h int) triangle[F] {
	t.a = t.a.from(h, h)
	return t
}

// beside returns the part of op(A) that is not zero beside the first h×h of its
// diagonal: below it, or to its right if op(A) is upper triangular.
func (t triangle[F]) beside(h int) matrix[F] {
	if t.upper {
		return t.a.from(0, h)
	}
	return t.a.from(h, 0)
}

// split cuts op(A) after h rows and columns, and b alike. It returns the second triangle,
// the second part of b, and a function that adds alpha times the product of the block
// beside the diagonal and one part of b to the other part: of the first part to the
// second if fromFirst, else of the second to the first.
func (t triangle[F]) split(h, m, n int, b matrix[F]) (second triangle[F], rest matrix[F], update func(alpha F), fromFirst bool) {
	beside := t.beside(h)
	if t.side == blas.Left {
		rest, fromFirst = b.from(h, 0), !t.upper
		update = func(alpha F) {
			if fromFirst {
				t.r.product(m-h, n, h, alpha, beside, b, 1, rest)
			} else {
				t.r.product(h, n, m-h, alpha, beside, rest, 1, b)
			}
		}
		return t.from(h), rest, update, fromFirst
	}
	rest, fromFirst = b.from(0, h), t.upper
	update = func(alpha F) {
		if fromFirst {
			t.r.product(m, n-h, h, alpha, b, beside, 1, rest)
		} else {
			t.r.product(m, h, n-h, alpha, rest, beside, 1, b)
		}
	}
	return t.from(h), rest, update, fromFirst
}

// order returns the order of A beside an m×n matrix.
func (t triangle[F]) order(m, n int) int {
	if t.side == blas.Left {
		return m
	}
	return n
}

// resized returns the shape of the part of an m×n matrix beside h rows of A.
func (t triangle[F]) resized(h, m, n int) (int, int) {
	if t.side == blas.Left {
		return h, n
	}
	return m, h
}

// chunks calls f for parts of b that are independent of one another: columns where A
// stands on the left, rows where it stands on the right.
func (t triangle[F]) chunks(m, n int, b matrix[F], f func(m, n int, b matrix[F])) {
	const size = 128
	length := m + n - t.order(m, n)
	each(t.r.workers(m, n, t.order(m, n)), (length+size-1)/size, func(i int) {
		at, count := i*size, min(size, length-i*size)
		if t.side == blas.Left {
			f(m, count, b.from(0, at))
		} else {
			f(count, n, b.from(at, 0))
		}
	})
}
