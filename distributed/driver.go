package distributed

import (
	"context"
	"fmt"
	"os"
	"sync"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
	"example.org/mercer/task"
)

// Engine has pieces worked on.
type Engine interface {
	// Run has some worker call [Worker.Work] for every piece, at least once, and returns when that
	// is done, or with the error of a piece that goes on failing.
	Run(ctx context.Context, pieces []Piece) error
}

// Costed is an engine that says what its passes cost, for plans. It need not know what a pass
// reads.
type Costed interface{ Cost() compute.PassCost }

// driver makes passes by an engine.
type driver struct {
	staging
	table   *Table
	steps   *prep.Pipeline
	columns []byte         // steps as JSON
	here    *prep.Streamed // the same rows, read here

	one sync.Mutex // pass at a time: equal ones have the same files
}

// Cost is what the engine says, if it does, with the size of the shards.
func (d *driver) Cost() (c compute.PassCost, known bool) {
	costed, known := d.engine.(Costed)
	if !known {
		return c, false
	}
	c = costed.Cost()
	for _, s := range d.table.Shards {
		if file, err := os.Stat(s.Path); err == nil { // or it is in the store
			c.Bytes += file.Size()
		}
	}
	return c, true
}

// Part drives some of the rows.
func (d *driver) Part(rows data.Rows) pass.Driver {
	return &driver{staging: d.staging, table: d.table, steps: d.steps, columns: d.columns, here: rows.(*prep.Streamed)}
}

// Run makes a pass.
func (d *driver) Run(ctx context.Context, p pass.Pass, done func(piece int, r pass.Result) error) error {
	d.one.Lock()
	defer d.one.Unlock()
	name, can, err := d.nameKernel(ctx, p.Kernel)
	if err != nil {
		return err
	}
	if !can {
		return d.runHere(ctx, p, done)
	}
	pieces, missing, err := d.describe(ctx, p, name)
	if err != nil {
		return err
	}
	if err := d.work(ctx, missing); err != nil {
		return err
	}
	for i, piece := range pieces {
		content, err := d.result(ctx, piece)
		if err != nil {
			return fmt.Errorf("rows %d to %d: %w", piece.From+1, piece.To, err)
		}
		r, err := takeResult(content)
		if err != nil {
			return err
		}
		if err := done(i, r); err != nil {
			return err
		}
	}
	return d.clear(ctx, pieces)
}

// nameKernel writes a kernel to the store. can is false where no expression tells what it is:
// then nobody else can compute it.
func (d *driver) nameKernel(ctx context.Context, k kernel.Kernel[[]float64]) (name string, can bool, err error) {
	text, steps, can := pass.Expression(k)
	if !can || text != "" && !d.parses(ctx, text) {
		return "", false, nil
	}
	name, err = d.file(ctx, "kernels", expression{text, steps})
	return name, err == nil, err
}

// parses reports whether the text of a kernel is an expression of it.
func (d *driver) parses(ctx context.Context, text string) bool {
	k, err := parse(ctx, text, d.steps)
	return err == nil && k.String() == text
}

// parse makes the kernel of an expression with all its numbers.
func parse(ctx context.Context, text string, steps *prep.Pipeline) (kernel.Kernel[[]float64], error) {
	parsed, err := task.Parse(text)
	if err != nil {
		return nil, err
	}
	return task.VectorKernel(ctx, parsed, data.Vectors{}, task.SchemaOf(steps))
}

// describe writes what workers have to know of a pass, and returns its pieces, and those of them
// whose results are not there.
func (d *driver) describe(ctx context.Context, p pass.Pass, kernel string) (out, missing []Piece, err error) {
	table, err := d.table.file(ctx)
	if err != nil {
		return nil, nil, err
	}
	from, err := d.file(ctx, "rows", rows{table, d.columns, prep.RowsOf(d.here.Kept())})
	if err != nil {
		return nil, nil, err
	}
	name, err := d.file(ctx, "jobs", sentJob{reading{Rows: from, Kernel: kernel, Job: p.Job}})
	if err != nil {
		return nil, nil, err
	}
	out = make([]Piece, len(p.Pieces))
	for i, rows := range p.Pieces {
		out[i] = Piece{Job: name, From: rows.From, To: rows.To, Along: p.Numbers != nil}
		var along []byte
		if p.Numbers != nil {
			x, err := p.Numbers(i)
			if err != nil {
				return nil, nil, err
			}
			along = appendNumbers(nil, x)
		}
		out[i].Key = out[i].key(along)
		there, err := d.store.Has(ctx, out[i].out())
		if err == nil && !there && along != nil {
			err = d.store.Write(ctx, out[i].in(), along)
		}
		if err != nil {
			return nil, nil, err
		}
		if !there {
			missing = append(missing, out[i])
		}
	}
	return out, missing, nil
}

// runHere makes a pass from rows that are read here.
func (d *driver) runHere(ctx context.Context, p pass.Pass, done func(piece int, r pass.Result) error) error {
	for i, piece := range p.Pieces {
		var along []float64
		if p.Numbers != nil {
			var err error
			if along, err = p.Numbers(i); err != nil {
				return err
			}
		}
		r, err := p.Job.Run(ctx, p.Kernel, d.here, piece, along, compute.Options{})
		if err != nil {
			return err
		}
		if err := done(i, r); err != nil {
			return err
		}
	}
	return nil
}
