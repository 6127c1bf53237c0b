package design

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/pass"
)

// Pieces returns runs of blocks with sums of their own. Few rows are one piece, whose sums need no
// memory beside the result.
func Pieces(rows int) []pass.Piece { return pass.Pieces(rows, BlockRows, pass.PieceBlocks) }

// SumsBytes is what so many sums of a pass over rows take: those of all, and those of the piece
// that is being read where the rows are several pieces.
func SumsBytes(rows, sums int) int64 { return 8 * int64(sums) * int64(min(2, len(Pieces(rows)))) }

// Pass does work with all blocks, and with the numbers of row i that in stores in dst, and returns
// the sums. each, if not nil, is given what is made of the rows from … to−1, which it may write,
// for all blocks in their order.
//
// Sums are kept for runs of blocks, and added up in the order of these: so they have the same bits
// wherever the rows are.
func (r *Blocks) Pass(ctx context.Context, work pass.Work, in func(dst []float64, i int) error, each func(from, to int, out *mat.Dense) error, o compute.Options) (sums []float64, err error) {
	_, _, count := work.Sizes(r.design.Dim)
	t := Task{Work: work, Sums: make([]float64, count)}
	t.In = func(dst *mat.Dense, from int) error {
		for i := range dst.RawMatrix().Rows {
			if err := in(dst.RawRowView(i), from+i); err != nil {
				return err
			}
		}
		return nil
	}
	t.Out = func(made *mat.Dense, from, to int) error {
		if each == nil {
			return nil
		}
		return each(from, to, made)
	}
	if err := r.Share(ctx, []Task{t}, o); err != nil {
		return nil, err
	}
	return t.Sums, nil
}
