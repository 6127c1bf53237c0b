package linalg

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Companion returns LᵀDL for the factor L of A = LLᵀ and D = diag(d), d of length n: what
// AᵀDA = A·D·A is in the coordinates in which A is the identity, L⁻¹(ADA)L⁻ᵀ. It has the
// eigenvalues of D^½AD^½. n³/3 flops, and a new matrix of the size of the factor.
func (f *Factored) Companion(ctx context.Context, d []float64) (*Packed, error) {
	n := f.Dim()
	if len(d) != n {
		return nil, fmt.Errorf("linalg: companion: %d weights for a factor of order %d: give one number per row", len(d), n)
	}
	out, count := NewPacked(n), tiles(n)
	buffers := newTiles[float64](n)
	progress := f.o.meter("companion", int64(count)*int64(count+1)*int64(count+2)/6)
	// Tile (i, j) adds up count − i products: the first tiles are the longest, and go first.
	err := each(ctx, f.o.workers(), count*(count+1)/2, func(t int) {
		i := 0
		for t >= i+1 {
			t -= i + 1
			i++
		}
		left, right := buffers.get(), buffers.get()
		defer buffers.put(left)
		defer buffers.put(right)
		c := blas64.General(out.tile(i, t))
		for k := i; k < count && ctx.Err() == nil; k++ {
			a := f.lowerTile(k, i, left.view(0, 0, extent(n, k), extent(n, i)))
			b := f.lowerTile(k, t, right.view(0, 0, extent(n, k), extent(n, t)))
			for r := range a.Rows {
				row := a.row(r)
				for col := range row {
					row[col] *= d[k*tileSize+r]
				}
			}
			serial.Gemm(blas.Trans, blas.NoTrans, 1, blas64.General(a), blas64.General(b), 1, c)
		}
		progress.add(int64(count - i))
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// lowerTile copies tile (i, j) of the factor, with zeros above the diagonal.
func (f *Factored) lowerTile(i, j int, dst general[float64]) general[float64] {
	if i != j {
		dst.copyFrom(f.l.tile(i, j))
		return dst
	}
	d := f.l.diagonal(j, dst)
	for r := range dst.Rows {
		copy(dst.row(r)[:r+1], d.row(r)[:r+1])
		clear(dst.row(r)[r+1:])
	}
	return dst
}
