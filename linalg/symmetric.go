package linalg

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// symmetric is a symmetric matrix in tiles. block returns tile (i, j) and how to read
// it; it may use buf, which has the shape of the tile, if i = j.
type symmetric interface {
	order() int
	block(i, j int, buf blas64.General) (blas64.General, blas.Transpose)
}

// multiplySymmetric stores A·X in dst, one block row of dst per task.
func multiplySymmetric(ctx context.Context, dst *mat.Dense, a symmetric, x *mat.Dense, o Options) error {
	n := a.order()
	if err := shape(dst, x, n); err != nil {
		return err
	}
	out, in := dst.RawMatrix(), x.RawMatrix()
	buffers := newTiles[float64](n)
	return each(ctx, o.workers(), tiles(n), func(i int) {
		whole := buffers.get()
		defer buffers.put(whole)
		buf := blas64.General(whole.square(extent(n, i)))
		y := view(out, i*tileSize, 0, extent(n, i), out.Cols)
		for j := 0; j < tiles(n) && ctx.Err() == nil; j++ {
			xj := view(in, j*tileSize, 0, extent(n, j), in.Cols)
			block, op := a.block(i, j, buf)
			beta := 1.0
			if j == 0 {
				beta = 0
			}
			if y.Cols == 1 {
				blas64.Gemv(op, 1, block, column(xj), beta, column(y))
			} else {
				serial.Gemm(op, blas.NoTrans, 1, block, xj, beta, y)
			}
		}
	})
}

// column returns the only column of g.
func column(g blas64.General) blas64.Vector {
	return blas64.Vector{N: g.Rows, Inc: g.Stride, Data: g.Data}
}

// symmetrise replaces a square matrix by the mean of itself and its transpose.
func symmetrise(a blas64.General) {
	for i := range a.Rows {
		for j := range i {
			v := (a.Data[i*a.Stride+j] + a.Data[j*a.Stride+i]) / 2
			a.Data[i*a.Stride+j], a.Data[j*a.Stride+i] = v, v
		}
	}
}

// Symmetrise replaces a square matrix by the mean of itself and its transpose, and returns it as
// a symmetric one in the same memory.
func Symmetrise(a *mat.Dense) *mat.SymDense {
	raw := a.RawMatrix()
	symmetrise(raw)
	out := new(mat.SymDense)
	out.SetRawSymmetric(blas64.Symmetric{Uplo: blas.Upper, N: raw.Rows, Stride: raw.Stride, Data: raw.Data})
	return out
}
