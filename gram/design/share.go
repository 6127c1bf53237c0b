package design

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

// Task is work with all blocks in a pass that others share.
type Task struct {
	Work pass.Work
	Sums []float64 // takes the sums
	// In stores the numbers that go along with the rows from one on. What Out takes must change
	// none of them: a run of rows may be asked for twice, and late.
	In func(dst *mat.Dense, from int) error
	// Out takes what is made of the rows from … to−1, which it may write, for all blocks in their
	// order; nil where nothing is made.
	Out func(made *mat.Dense, from, to int) error
}

// Share makes one pass for several tasks, which are done side by side. Each has the sums that it
// has alone, and one that a driver's workers make, too.
func (r *Blocks) Share(ctx context.Context, tasks []Task, o compute.Options) error {
	if r.ask != nil {
		q := &request{ctx: ctx, tasks: tasks, how: o}
		r.ask(q)
		return q.err
	}
	pieces := Pieces(r.design.Rows)
	if r.design.Elsewhere != nil && r.held == nil {
		return r.send(ctx, pieces, tasks)
	}
	s := newShared(r, tasks, o)
	for i, p := range pieces {
		if err := s.piece(ctx, i, p); err != nil {
			return err
		}
	}
	return nil
}

// shared is a pass that is made here.
type shared struct {
	rows    *Blocks
	tasks   []Task
	do      []func(pass.Block)
	parts   [][]float64       // sums of the piece, where the tasks' have those of pieces before it
	spaces  []pass.BlockSpace // of workers
	workers int
}

func newShared(r *Blocks, tasks []Task, o compute.Options) *shared {
	s := &shared{rows: r, tasks: tasks, workers: o.WorkerCount(), do: make([]func(pass.Block), len(tasks))}
	s.spaces = make([]pass.BlockSpace, min(s.workers, len(tasks)))
	product := level3.Implementation{Workers: o.Workers}
	if len(tasks) > 1 {
		product.Workers = max(1, s.workers/len(tasks))
	}
	for k, t := range tasks {
		s.do[k] = t.Work.Worker(r.design.Dim, product)
	}
	return s
}

// piece does all tasks with piece i, and adds up their sums.
func (s *shared) piece(ctx context.Context, i int, p pass.Piece) error {
	for k, t := range s.tasks {
		switch {
		case i == 0:
			clear(t.Sums)
		case i == 1:
			s.parts = append(s.parts, make([]float64, len(t.Sums)))
		default:
			clear(s.parts[k])
		}
	}
	sums := func(k int) []float64 {
		if i == 0 {
			return s.tasks[k].Sums
		}
		return s.parts[k]
	}
	errs := make([]error, len(s.tasks))
	err := s.rows.run(ctx, p, s.workers, func(from, to int, phi *mat.Dense) error {
		err := parallel.Each(ctx, s.workers, len(s.tasks), func(worker, k int) {
			b := s.spaces[worker].Block(phi, s.tasks[k].Work, sums(k))
			errs[k] = s.tasks[k].block(s.do[k], b, from, to)
		})
		return errors.Join(append(errs, err)...)
	})
	for k := range s.parts {
		floats.Add(s.tasks[k].Sums, s.parts[k])
	}
	return err
}

// block does the work with a block.
func (t Task) block(do func(pass.Block), b pass.Block, from, to int) error {
	if b.In != nil {
		if err := t.In(b.In, from); err != nil {
			return err
		}
	}
	if do(b); t.Out == nil {
		return nil
	}
	return t.Out(b.Out, from, to)
}
