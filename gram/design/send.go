package design

import (
	"context"
	"encoding/gob"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

func init() { gob.Register(job{}) }

// job is work on the blocks (Φ − 1φ̄ᵀ)V.
type job struct {
	Work   pass.Work
	Height int // of a block
	Mean   []float64
	Axes   *mat.Dense // nil: I
}

// Run does the work with the blocks of a piece.
func (j job) Run(ctx context.Context, k kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, numbers []float64, o compute.Options) (pass.Result, error) {
	d, ok := Of(k, rows)
	if !ok || d.Dim != len(j.Mean) {
		return pass.Result{}, fmt.Errorf("design: the kernel %s has %d features here, and %d where the pass comes from", k, d.Dim, len(j.Mean))
	}
	blocks := d.blocks(j.Height)
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
	t := Task{Work: j.Work, Sums: r.Sums, In: func(dst *mat.Dense, from int) error {
		copy(dst.RawMatrix().Data, numbers[(from-p.From)*takes:])
		return nil
	}}
	if makes > 0 {
		t.Out = func(made *mat.Dense, _, _ int) error {
			r.Rows = append(r.Rows, made.RawMatrix().Data...)
			return nil
		}
	}
	do, space := j.Work.Worker(d.Dim, level3.Implementation{Workers: o.Workers}), pass.BlockSpace{}
	err := blocks.run(ctx, p, o.WorkerCount(), func(from, to int, phi *mat.Dense) error {
		return t.block(do, space.Block(phi, j.Work, r.Sums), from, to)
	})
	return r, err
}

// mostSent is the number of sums up to which tasks share a job elsewhere: a result of 128 MB.
const mostSent = 1 << 24

// send has a driver make the pass: as few jobs as the size of their results allows, as each makes
// the features again.
func (r *Blocks) send(ctx context.Context, pieces []pass.Piece, tasks []Task) error {
	for first := 0; first < len(tasks); {
		end, sums := first+1, len(tasks[first].Sums)
		for end < len(tasks) && sums+len(tasks[end].Sums) <= mostSent {
			sums += len(tasks[end].Sums)
			end++
		}
		if err := r.sendTogether(ctx, pieces, tasks[first:end]); err != nil {
			return err
		}
		first = end
	}
	return nil
}

// sendTogether has tasks done in one job, with their numbers side by side.
func (r *Blocks) sendTogether(ctx context.Context, pieces []pass.Piece, tasks []Task) error {
	var all pass.Several
	for _, t := range tasks {
		all.Works = append(all.Works, t.Work)
	}
	dim := r.design.Dim
	sums, err := r.design.Elsewhere.Blocks(ctx, job{all, r.height, r.mean, r.axes}, all, dim, pieces, func(numbers *mat.Dense, from int) error {
		rows, next := numbers.RawMatrix().Rows, 0
		for _, t := range tasks {
			takes, _, _ := t.Work.Sizes(dim)
			if takes == 0 {
				continue
			}
			if err := t.In(numbers.Slice(0, rows, next, next+takes).(*mat.Dense), from); err != nil {
				return err
			}
			next += takes
		}
		return nil
	}, func(made *mat.Dense, from int) error {
		rows, next := made.RawMatrix().Rows, 0
		for _, t := range tasks {
			_, makes, _ := t.Work.Sizes(dim)
			if makes == 0 || t.Out == nil {
				next += makes
				continue
			}
			if err := t.Out(mat.DenseCopyOf(made.Slice(0, rows, next, next+makes)), from, from+rows); err != nil {
				return err
			}
			next += makes
		}
		return nil
	})
	for _, t := range tasks {
		sums = sums[copy(t.Sums, sums):]
	}
	return err
}
