package gram

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
)

const (
	// multipleRHS is the number of right-hand sides from which a stored matrix is multiplied
	// where it lies, by products of large blocks.
	multipleRHS = 8
	// multipleRHSRows is how many rows of the matrix are multiplied between two checks of
	// the context.
	multipleRHSRows = 512
)

// mulMultipleRHS is Mul for several right-hand sides. Rows of the upper triangle are used
// twice, as they are and, beside the diagonal, transposed.
func (m *Matrix) mulMultipleRHS(ctx context.Context, dst, x *mat.Dense) error {
	var impl level3.Implementation
	k, in, out := m.K.RawSymmetric(), x.RawMatrix(), dst.RawMatrix()
	dst.Zero()
	for at := 0; at < k.N; at += multipleRHSRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		rows := min(multipleRHSRows, k.N-at)
		x1, y1 := rowsFrom(in, at, rows), rowsFrom(out, at, rows)
		impl.Dsymm(blas.Left, blas.Upper, rows, in.Cols, 1, k.Data[at*k.Stride+at:], k.Stride, x1.Data, x1.Stride, 1, y1.Data, y1.Stride)
		next := at + rows
		if next == k.N {
			break
		}
		beside := blas64.General{Rows: rows, Cols: k.N - next, Stride: k.Stride, Data: k.Data[at*k.Stride+next : (next-1)*k.Stride+k.N]}
		impl.Gemm(blas.NoTrans, blas.NoTrans, 1, beside, rowsFrom(in, next, k.N-next), 1, y1)
		impl.Gemm(blas.Trans, blas.NoTrans, 1, beside, x1, 1, rowsFrom(out, next, k.N-next))
	}
	return ctx.Err()
}

// rowsFrom returns rows at … at+n−1 of g.
func rowsFrom(g blas64.General, at, n int) blas64.General {
	return blas64.General{Rows: n, Cols: g.Cols, Stride: g.Stride, Data: g.Data[at*g.Stride : (at+n-1)*g.Stride+g.Cols]}
}
