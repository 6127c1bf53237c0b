package design

import (
	"context"
	"encoding/gob"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// Work is what a pass does with blocks of features, see [Blocks.Pass]. It can be sent:
// its fields are exported, and its type is known to encoding/gob.
type Work interface {
	// Sizes returns how many numbers go along with each row of dim features, how many are made of
	// each, and how many are summed up over the rows.
	Sizes(dim int) (in, out, sums int)
	// Do adds a block to the sums, and stores what is made of its rows.
	Do(b Block)
}

// Block is a block of rows in a pass. The features are not written.
type Block struct {
	Phi     *mat.Dense // features
	In, Out *mat.Dense // numbers of the rows; nil where there are none
	Sums    []float64
	Space   *mat.Dense // of the size of Phi, which may be written
	Product level3.Implementation
}

func init() {
	gob.Register(job{})
	Register(WeightedSum{}, Moments{}, Products{}, Adjoint{})
}

// Register makes the work of a package known to encoding/gob.
func Register(work ...Work) {
	for _, w := range work {
		gob.Register(w)
	}
}

// cut returns runs of blocks with sums of their own. Few rows are one piece, whose sums need no
// memory beside the result.
func cut(rows int) []pass.Piece { return pass.Pieces(rows, BlockRows, 64) }

// Pass does work with all blocks, and with the numbers of row i that in stores in dst, and returns
// the sums. each, if not nil, is given what is made of the rows from … to−1, which it may write,
// for all blocks in their order.
//
// Sums are kept for runs of blocks, and added up in the order of these: so they have the same bits
// wherever the rows are.
func (r *Blocks) Pass(ctx context.Context, work Work, in func(dst []float64, i int) error, each func(from, to int, out *mat.Dense) error, o compute.Options) (sums []float64, err error) {
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

// piece does work with a run of blocks.
func (r *Blocks) piece(ctx context.Context, work Work, p pass.Piece, sums []float64, in func(dst []float64, i int) error, each func(from, to int, out *mat.Dense) error, o compute.Options) error {
	dim, height := r.design.Dim, min(BlockRows, p.To-p.From)
	takes, makes, _ := work.Sizes(dim)
	space, along, made := mat.NewDense(height, dim, nil), matrix(height, takes), matrix(height, makes)
	b := Block{Sums: sums, Product: level3.Implementation{Workers: o.Workers}}
	return r.run(ctx, p, func(from, to int, phi *mat.Dense) error {
		b.Phi, b.Space = phi, head(space, to-from)
		b.In, b.Out = head(along, to-from), head(made, to-from)
		for i := from; i < to && b.In != nil; i++ {
			if err := in(b.In.RawRowView(i-from), i); err != nil {
				return err
			}
		}
		if b.Out != nil {
			b.Out.Zero()
		}
		if work.Do(b); each == nil {
			return nil
		}
		return each(from, to, b.Out)
	})
}

// matrix is nil where there are no columns.
func matrix(rows, cols int) *mat.Dense {
	if cols == 0 {
		return nil
	}
	return mat.NewDense(rows, cols, nil)
}

// head returns the first rows.
func head(a *mat.Dense, rows int) *mat.Dense {
	if a == nil {
		return nil
	}
	_, cols := a.Dims()
	return a.Slice(0, rows, 0, cols).(*mat.Dense)
}
