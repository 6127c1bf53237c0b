package krr

import (
	"context"
	"fmt"

	"mercer/gram"
	"mercer/linalg"
)

// packed solves by a Cholesky factorization in half the memory. The factor takes the
// place of K, so the residual costs one more pass over the kernel values.
func (j *job) packed(ctx context.Context) (*Solution, *Report, error) {
	a, err := j.pack(ctx)
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&j.report.Run, "gram")
	f, err := linalg.FactorPackedDiag(ctx, a, j.sys.shift(j.report.Ridge), linalgOptions(j.o.Compute))
	if err != nil {
		return nil, nil, j.notDefinite(err)
	}
	j.watch.Lap(&j.report.Run, "factor")
	return j.direct(ctx, f, j.apply)
}

// pack stores the lower triangle of diag(s)·K·diag(s).
func (j *job) pack(ctx context.Context) (*linalg.Packed, error) {
	stream, ok := j.k.(*gram.Stream)
	if !ok {
		return nil, fmt.Errorf("krr: solver %q saves memory by never storing the square matrix, and this one is stored already: use solver %q", Packed, Cholesky)
	}
	p, err := gram.PackedOf(ctx, stream.Pairs(), j.o.Compute)
	if err != nil || !j.sys.weighted() {
		return p, err
	}
	for bi := range p.TileCount() {
		for bj := range bi + 1 {
			rows, cols, stride, data := p.Tile(bi, bj)
			left, right := j.sys.s[bi*p.TileSize():], j.sys.s[bj*p.TileSize():]
			for r := range rows {
				for c, row := 0, data[r*stride:]; c < cols; c++ {
					row[c] *= left[r] * right[c]
				}
			}
		}
	}
	return p, nil
}
