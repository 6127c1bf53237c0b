package linalg

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// LTDL returns LᵀDL for the factor L of A = LLᵀ and D = diag(d), d of length n: what
// AᵀDA = A·D·A is in the coordinates in which A is the identity, L⁻¹(ADA)L⁻ᵀ. It has the
// eigenvalues of D^½AD^½. n³/3 flops, and a new matrix of the size of the factor.
func (f *CholeskyFactor) LTDL(ctx context.Context, d []float64) (*Packed, error) {
	n := f.Dim()
	if len(d) != n {
		return nil, fmt.Errorf("linalg: companion: %d weights for a factor of order %d: give one number per row", len(d), n)
	}
	out, count := NewPacked(n), tiles(n)
	buffers := newTiles[float64](n)
	progress := f.o.meter("companion", int64(count)*int64(count+1)*int64(count+2)/6)
	// Tile (i, j) adds up count − i products: the first tiles are the longest, and go first.
	err := each(ctx, f.o.workers(), count*(count+1)/2, func(t int) {
		i, j := lowerTile(t)
		left, right := buffers.get(), buffers.get()
		defer buffers.put(left)
		defer buffers.put(right)
		c := blas64.General(out.tile(i, j))
		for k := i; k < count && ctx.Err() == nil; k++ {
			a := f.padded(k, i, left.view(0, 0, extent(n, k), extent(n, i)))
			b := f.padded(k, j, right.view(0, 0, extent(n, k), extent(n, j)))
			for r := range a.Rows {
				row := a.row(r)
				for col := range row {
					row[col] *= d[k*tileSize+r]
				}
			}
			serial.Gemm(blas.Trans, blas.NoTrans, 1, blas64.General(a), blas64.General(b), 1, c)
		}
		progress.Add(int64(count - i))
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// padded copies tile (i, j) of the factor, with zeros above the diagonal.
func (f *CholeskyFactor) padded(i, j int, dst general[float64]) general[float64] {
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

// AddProducts adds AᵀA to p for A of r rows and n columns: 2·r·n²/2 flops, shared tile by
// tile. It stops early when ctx ends.
func (p *Packed) AddProducts(ctx context.Context, a *mat.Dense, o Options) error {
	_, n := a.Dims()
	if n != p.n {
		return fmt.Errorf("linalg: products of rows of %d numbers for a matrix of order %d: they must agree", n, p.n)
	}
	rows, count := a.RawMatrix(), tiles(n)
	return each(ctx, o.workers(), count*(count+1)/2, func(t int) {
		i, j := lowerTile(t)
		left, right := view(rows, 0, i*tileSize, rows.Rows, extent(n, i)), view(rows, 0, j*tileSize, rows.Rows, extent(n, j))
		serial.Gemm(blas.Trans, blas.NoTrans, 1, left, right, 1, blas64.General(p.tile(i, j)))
	})
}

// AddProductsSingle adds αAᵀA to p as [Packed.AddProducts] does, in half of the time: products and
// their sum over the rows of a are float32, what they are added to is float64.
func (p *Packed) AddProductsSingle(ctx context.Context, alpha float64, a blas32.General, o Options) error {
	if a.Cols != p.n {
		return fmt.Errorf("linalg: products of rows of %d numbers for a matrix of order %d: they must agree", a.Cols, p.n)
	}
	rows, count := general[float32]{Rows: a.Rows, Cols: a.Cols, Data: a.Data, Stride: a.Stride}, tiles(p.n)
	products := newTiles[float32](p.n)
	return each(ctx, o.workers(), count*(count+1)/2, func(t int) {
		i, j := lowerTile(t)
		left, right, sum := slab(rows, i), slab(rows, j), p.tile(i, j)
		buffer := products.get()
		defer products.put(buffer)
		product := buffer.view(0, 0, sum.Rows, sum.Cols)
		serial.Sgemm(blas.Trans, blas.NoTrans, sum.Rows, sum.Cols, rows.Rows, 1, left.Data, left.Stride, right.Data, right.Stride, 0, product.Data, product.Stride)
		for r := range sum.Rows {
			to := sum.row(r)
			for c, v := range product.row(r) {
				to[c] += alpha * float64(v)
			}
		}
	})
}

// lowerTile returns block row and block column of tile number t of a lower triangle.
func lowerTile(t int) (i, j int) {
	for t > i {
		i++
		t -= i
	}
	return i, t
}
