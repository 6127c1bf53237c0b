package krr

import (
	"context"
	"fmt"

	"mercer/kernel"
	"mercer/linalg"
)

// packed solves by a Cholesky factorization in half the memory. The factor takes the
// place of K, so the residual costs one more pass over the kernel values.
func (j *job) packed(ctx context.Context) (*Solution, *Report, error) {
	a, err := j.pack(ctx)
	if err != nil {
		return nil, nil, err
	}
	j.watch.lap(j.report, "gram")
	f, err := linalg.FactorPackedDiag(ctx, a, j.sys.shift(j.report.Ridge), linalgOptions(j.o.Compute))
	if err != nil {
		return nil, nil, j.notDefinite(err)
	}
	j.watch.lap(j.report, "factor")
	return j.direct(ctx, f, j.apply)
}

// pack stores the lower triangle of diag(s)·K·diag(s).
func (j *job) pack(ctx context.Context) (*linalg.Packed, error) {
	stream, ok := j.k.(interface{ Pairs() kernel.Pairs })
	if !ok {
		return nil, fmt.Errorf("krr: solver %q saves memory by never storing the square matrix, and this one is stored already: use solver %q", Packed, Cholesky)
	}
	p, s := linalg.NewPacked(j.sys.n), j.sys.s
	for bi := range p.TileCount() {
		for bj := range bi + 1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			rows, cols, stride, data := p.Tile(bi, bj)
			t := kernel.Tile{Rows: rows, Cols: cols, Stride: stride, Data: data}
			row, col := bi*p.TileSize(), bj*p.TileSize()
			stream.Pairs().Tile(t, row, col)
			for i := range rows {
				for c, v := range t.Row(i) {
					t.Row(i)[c] = v * (s[row+i] * s[col+c])
				}
			}
		}
	}
	return p, nil
}
