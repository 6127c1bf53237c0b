package design

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// cut returns runs of blocks with sums of their own. Few rows are one piece, whose sums need no
// memory beside the result.
func cut(rows int) []pass.Piece { return pass.Pieces(rows, BlockRows, pass.PieceBlocks) }

// Pass does work with all blocks, and with the numbers of row i that in stores in dst, and returns
// the sums. each, if not nil, is given what is made of the rows from … to−1, which it may write,
// for all blocks in their order.
//
// Sums are kept for runs of blocks, and added up in the order of these: so they have the same bits
// wherever the rows are.
func (r *Blocks) Pass(ctx context.Context, work pass.Work, in func(dst []float64, i int) error, each func(from, to int, out *mat.Dense) error, o compute.Options) (sums []float64, err error) {
	pieces := cut(r.design.Rows)
	if r.design.elsewhere != nil && r.held == nil {
		return r.send(ctx, work, pieces, in, each)
	}
	_, _, count := work.Sizes(r.design.Dim)
	sums = make([]float64, count)
	part := sums
	for i, p := range pieces {
		if i == 1 {
			part = make([]float64, count)
		}
		if i > 0 {
			clear(part)
		}
		if err := r.piece(ctx, work, p, part, in, each, o); err != nil {
			return nil, err
		}
		if i > 0 {
			floats.Add(sums, part)
		}
	}
	return sums, nil
}

// SumsBytes is what so many sums of a pass over rows take: those of all, and those of the piece
// that is being read where the rows are several pieces.
func SumsBytes(rows, sums int) int64 { return 8 * int64(sums) * int64(min(2, len(cut(rows)))) }

// piece does work with a run of blocks.
func (r *Blocks) piece(ctx context.Context, work pass.Work, p pass.Piece, sums []float64, in func(dst []float64, i int) error, each func(from, to int, out *mat.Dense) error, o compute.Options) error {
	dim, height := r.design.Dim, min(BlockRows, p.To-p.From)
	takes, makes, _ := work.Sizes(dim)
	do, space := work.Worker(dim, level3.Implementation{Workers: o.Workers}), pass.NewBlockSpace(height, takes, makes)
	return r.run(ctx, p, func(from, to int, phi *mat.Dense) error {
		b := space.Block(phi, sums)
		for i := from; i < to && b.In != nil; i++ {
			if err := in(b.In.RawRowView(i-from), i); err != nil {
				return err
			}
		}
		if do(b); each == nil {
			return nil
		}
		return each(from, to, b.Out)
	})
}
