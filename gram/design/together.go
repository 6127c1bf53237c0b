package design

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
)

// request is a pass that one of several searches waits for.
type request struct {
	ctx   context.Context
	tasks []Task
	how   compute.Options
	err   error
}

// Together calls search(i, …) once for every i < count, with blocks of the same rows. Where rows
// are not held, up to most of the searches go on at the same time and share their passes, as in
// [pass.Together]: features are made once for all of them. Each has the sums that it has alone.
func (r *Blocks) Together(count, most int, search func(i int, rows *Blocks) error) error {
	if most = min(most, count); most < 2 || r.held != nil || r.ask != nil {
		for i := range count {
			if err := search(i, r); err != nil {
				return err
			}
		}
		return nil
	}
	return parallel.Together(count, most, r.serve, func(i int, ask func(*request)) error {
		return search(i, r.asking(ask))
	})
}

// serve makes one pass for all.
func (r *Blocks) serve(all []*request) {
	var tasks []Task
	for _, q := range all {
		tasks = append(tasks, q.tasks...)
	}
	err := r.Share(all[0].ctx, tasks, all[0].how)
	for _, q := range all {
		q.err = err
	}
}

// asking returns the same blocks for another goroutine, whose passes are asked for.
func (r *Blocks) asking(ask func(*request)) *Blocks {
	own := *r
	own.ask, own.block = ask, nil
	if r.axes != nil {
		own.turned = mat.NewDense(min(r.height, r.design.Rows), r.design.Dim, nil)
	}
	return &own
}
