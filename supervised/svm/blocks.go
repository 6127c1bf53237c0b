package svm

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/parallel"
)

const (
	// blockBytes is the size of a block of features, few enough for a cache that cores share, and
	// blockRows the most rows of one, each of which has some numbers beside its features.
	// Constants, because bits depend on them.
	blockBytes = 4 << 20
	blockRows  = 8192
)

// blockHeight is the number of rows in a block of so many features.
func blockHeight(features int) int {
	return min(blockRows, max(1, blockBytes/8/features/design.BlockRows)*design.BlockRows)
}

// blocks are the features of all rows, which go by in runs of consecutive rows: held, or made again
// in every pass.
type blocks struct {
	design design.Matrix
	height int        // rows of a block
	held   *mat.Dense // all rows, where they fit
	filled []bool     // which blocks of these have been made
	space  *mat.Dense // one block, where they do not
	o      compute.Options
}

// newBlocks holds the features where [compute.FitsInMemory] has room for them.
func newBlocks(phi design.Matrix, o compute.Options) *blocks {
	b := &blocks{design: phi, o: o}
	b.height = min(phi.Rows, blockHeight(phi.Dim))
	if compute.FitsInMemory(8*int64(phi.Rows)*int64(phi.Dim), o.MaxMemory) {
		b.held, b.filled = mat.NewDense(phi.Rows, phi.Dim, nil), make([]bool, b.count())
	} else {
		b.space = mat.NewDense(b.height, phi.Dim, nil)
	}
	return b
}

// count returns the number of blocks.
func (b *blocks) count() int { return blockCount(b.design.Rows, b.height) }

// of returns the block that has a row.
func (b *blocks) of(row int) int { return row / b.height }

// each calls use with the blocks in their order: with the first of its rows, and the
// features, which use must not write.
func (b *blocks) each(ctx context.Context, use func(at, from int, phi *mat.Dense) error) error {
	var told *compute.Meter
	if b.held == nil {
		told = b.o.Meter("pass", int64(b.design.Rows))
	}
	for at := range b.count() {
		from, to := blockBounds(at, b.height, b.design.Rows)
		phi, err := b.block(ctx, at, from, to)
		if err != nil {
			return err
		}
		if err := use(at, from, phi); err != nil {
			return err
		}
		told.Reach(int64(to))
	}
	return ctx.Err()
}

// block returns the features of the rows from ≤ i < to.
func (b *blocks) block(ctx context.Context, at, from, to int) (*mat.Dense, error) {
	if b.held == nil {
		phi := b.space.Slice(0, to-from, 0, b.design.Dim).(*mat.Dense)
		return phi, b.fill(ctx, phi, from)
	}
	phi := b.held.Slice(from, to, 0, b.design.Dim).(*mat.Dense)
	if !b.filled[at] {
		if err := b.fill(ctx, phi, from); err != nil {
			return nil, err
		}
		b.filled[at] = true
	}
	return phi, nil
}

// fill makes the features of rows from one on, [design.BlockRows] at a time.
func (b *blocks) fill(ctx context.Context, phi *mat.Dense, from int) error {
	rows, dim := phi.Dims()
	errs := make([]error, blockCount(rows, design.BlockRows))
	err := parallel.Each(ctx, b.o.WorkerCount(), len(errs), func(_, i int) {
		first, end := blockBounds(i, design.BlockRows, rows)
		errs[i] = b.design.Fill(ctx, phi.Slice(first, end, 0, dim).(*mat.Dense), from+first)
	})
	return errors.Join(append(errs, err)...)
}
