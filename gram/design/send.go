package design

import (
	"context"
	"encoding/gob"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() { gob.Register(job{}) }

// job is work on the blocks (Φ − 1φ̄ᵀ)V.
type job struct {
	Work pass.Work
	Mean []float64
	Axes *mat.Dense // nil: I
}

// Run does the work with the blocks of a piece.
func (j job) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, numbers []float64, o compute.Options) (pass.Result, error) {
	d, ok := Of(k, rows)
	if !ok || d.Dim != len(j.Mean) {
		return pass.Result{}, fmt.Errorf("design: the kernel %s has %d features here, and %d where the pass comes from", k, d.Dim, len(j.Mean))
	}
	blocks := d.Blocks()
	copy(blocks.mean, j.Mean)
	if j.Axes != nil {
		if err := blocks.Turn(ctx, j.Axes, o); err != nil {
			return pass.Result{}, err
		}
	}
	takes, makes, sums := j.Work.Sizes(d.Dim)
	if len(numbers) != takes*(p.To-p.From) {
		return pass.Result{}, fmt.Errorf("design: %d numbers go along with %d rows, and the work takes %d for each", len(numbers), p.To-p.From, takes)
	}
	r := pass.Result{Sums: make([]float64, sums), Rows: make([]float64, 0, makes*(p.To-p.From))}
	err := blocks.piece(ctx, j.Work, p, r.Sums, func(dst []float64, i int) error {
		copy(dst, numbers[(i-p.From)*takes:])
		return nil
	}, func(_, _ int, out *mat.Dense) error {
		if out != nil {
			r.Rows = append(r.Rows, out.RawMatrix().Data...)
		}
		return nil
	}, o)
	return r, err
}

// send has a driver make the pass.
func (r *Blocks) send(ctx context.Context, work pass.Work, pieces []pass.Piece, in func(dst []float64, i int) error, each func(from, to int, out *mat.Dense) error) ([]float64, error) {
	return r.design.Elsewhere.Blocks(ctx, job{work, r.mean, r.axes}, work, r.design.Dim, pieces, in, func(made *mat.Dense, from int) error {
		if each == nil {
			return nil
		}
		return each(from, from+made.RawMatrix().Rows, made)
	})
}
