package level3

import "gonum.org/v1/gonum/blas"

// columnPart is the number of rows of a factor, or of its transpose, that a goroutine takes at
// once.
const columnPart = 512

// column is gemm for a single column b, which a packed product would read as a whole tile and
// gonum's as products of length 1: each row of A is read once, in place. An element of C has the
// same bits for any number of goroutines and any place in its matrix.
func (r routines[F]) column(tA blas.Transpose, m, k int, alpha F, a []F, lda int, b []F, incB int, beta F, c []F, ldc int) {
	x := make([]F, k)
	for i := range x {
		x[i] = b[i*incB]
	}
	workers := r.workers(m, 1, k)
	parts := (m + columnPart - 1) / columnPart
	each(workers, parts, func(part int) {
		from, to := part*columnPart, min(m, (part+1)*columnPart)
		sums := make([]F, to-from)
		if tA == blas.NoTrans {
			r.rows.dot(sums, a[from*lda:], lda, x)
		} else {
			r.rows.add(sums, a[from:], lda, x)
		}
		for i, sum := range sums {
			if sum *= alpha; beta != 0 {
				sum += beta * c[(from+i)*ldc]
			}
			c[(from+i)*ldc] = sum
		}
	})
}
