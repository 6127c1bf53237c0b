// Package passtest has rows for tests of methods that read theirs in passes: such as are read in
// runs, and such as have a driver, which treats passes as an engine on a bad day does.
package passtest

import (
	"bytes"
	"context"
	"encoding/gob"
	"slices"

	"golang.org/x/sync/errgroup"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

// Scrambled is a driver that sends jobs, and the steps that make their kernels, through bytes. It
// runs the pieces from the last to the first, two at a time, and the first of them twice, as an
// engine does after a fault.
type Scrambled struct {
	Rows   data.Rows
	Fails  error // of the last piece
	Passes int   // made
}

// Apart gives rows such a driver.
func Apart(xs data.Vectors) (pass.Rows, *Scrambled) {
	d := &Scrambled{Rows: xs}
	return pass.Over(filed{xs}, d), d
}

// filed are rows that are read when they are asked for.
type filed struct{ data.Vectors }

func (f filed) Run(from, to int) data.Set[[]float64]   { return data.Run(f.Vectors, from, to) }
func (f filed) Subset(index []int) data.Set[[]float64] { return data.Subset(f.Vectors, index) }
func (f filed) Gather(index []int) data.Vectors        { return f.Vectors.Gather(index) }

func (f filed) Part(index []int) data.Set[[]float64] { return filed{f.Gather(index)} }

// Part drives some of the rows.
func (d *Scrambled) Part(rows data.Rows) pass.Driver { return &Scrambled{Rows: rows, Fails: d.Fails} }

// Run makes a pass.
func (d *Scrambled) Run(ctx context.Context, p pass.Pass, done func(int, pass.Result) error) error {
	d.Passes++
	var sent bytes.Buffer
	if err := gob.NewEncoder(&sent).Encode(&p.Job); err != nil {
		return err
	}
	if _, err := d.one(ctx, p, sent.Bytes(), 0); err != nil {
		return err
	}
	type made struct {
		piece int
		pass.Result
	}
	results := make(chan made)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	go func() {
		for i := len(p.Pieces) - 1; i >= 0; i-- {
			group.Go(func() error {
				r, err := d.one(ctx, p, sent.Bytes(), i)
				if i == len(p.Pieces)-1 && d.Fails != nil {
					err = d.Fails
				}
				if err == nil {
					results <- made{i, r}
				}
				return err
			})
		}
		_ = group.Wait()
		close(results)
	}()
	var problem error
	for r := range results {
		if problem == nil {
			problem = done(r.piece, r.Result)
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return problem
}

// remade makes a kernel again from another one, by the steps that are sent for it.
func remade(ctx context.Context, k kernel.Kernel[[]float64]) (kernel.Kernel[[]float64], error) {
	c, ok := k.(pass.Constructed)
	if !ok {
		return k, nil
	}
	of, by, can := c.Construction()
	if !can {
		return k, nil
	}
	var sent bytes.Buffer
	if err := gob.NewEncoder(&sent).Encode(&by); err != nil {
		return nil, err
	}
	if err := gob.NewDecoder(&sent).Decode(&by); err != nil {
		return nil, err
	}
	of, err := remade(ctx, of)
	if err != nil {
		return nil, err
	}
	return by.Make(ctx, of, compute.Options{})
}

// one does a piece of a job that came in bytes.
func (d *Scrambled) one(ctx context.Context, p pass.Pass, sent []byte, i int) (pass.Result, error) {
	var job pass.Job
	if err := gob.NewDecoder(bytes.NewReader(sent)).Decode(&job); err != nil {
		return pass.Result{}, err
	}
	var along []float64
	if p.Numbers != nil {
		var err error
		if along, err = p.Numbers(i); err != nil {
			return pass.Result{}, err
		}
	}
	k, err := remade(ctx, p.Kernel)
	if err != nil {
		return pass.Result{}, err
	}
	return job.Run(ctx, k, d.Rows, p.Pieces[i], slices.Clone(along), compute.Options{Workers: 1 + i%3})
}
