package distributed

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"example.org/mercer/compute"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

// Worker works on pieces. It holds the rows and the kernel of the last pass, which so reach it
// once. It is safe for concurrent use.
type Worker struct {
	Store   Store
	Compute compute.Options // of a piece
	// Folder keeps compiled files that come from a store that is [Remote]; "": one for temporary
	// files. Workers of a machine may share it.
	Folder string

	mu     sync.Mutex
	rows   map[string]*shards
	kernel map[string]kernel.Kernel[[]float64]
	jobs   map[string]job
}

// shards are rows in compiled files.
type shards struct {
	*prep.Streamed
	steps *prep.Pipeline
}

// kept is the number of jobs, kernels and tables that a worker holds before it forgets them.
const kept = 8

// Work computes a piece and stores its result, unless that is there. A failure is stored, too, in
// words.
func (w *Worker) Work(ctx context.Context, p Piece) error {
	there, err := w.Store.Has(ctx, p.out())
	if err != nil || there {
		return err
	}
	r, err := w.compute(ctx, p)
	if err == nil {
		return w.Store.Write(ctx, p.out(), sealed(r))
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(err, w.Store.Write(ctx, p.failure(), []byte(err.Error())))
}

// compute computes a piece.
func (w *Worker) compute(ctx context.Context, p Piece) (r pass.Result, err error) {
	j, from, k, err := w.prepare(ctx, p.Job)
	if err != nil {
		return r, err
	}
	if p.From < 0 || p.To > from.Len() || p.From >= p.To {
		return r, fmt.Errorf("distributed: rows %d to %d of %d", p.From+1, p.To, from.Len())
	}
	var along []float64
	if p.Along {
		content, err := w.Store.Read(ctx, p.in())
		if err != nil {
			return r, err
		}
		if p.key(content) != p.Key {
			return r, fmt.Errorf("distributed: %s is not what was written there", p.in())
		}
		if along, _, err = takeNumbers(content); err != nil {
			return r, err
		}
	}
	if r, err = j.Job.Run(ctx, k, from, pass.Piece{From: p.From, To: p.To}, along, w.Compute); err == nil {
		err = from.Err() // rows that cannot be read are zeros
	}
	if err != nil {
		w.forget()
	}
	return r, err
}

// forget lets everything go, so that the next piece opens the files again.
func (w *Worker) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.rows, w.kernel, w.jobs = nil, nil, nil
}

// prepare reads the files of a pass, those that are not held.
func (w *Worker) prepare(ctx context.Context, name string) (j job, from *shards, k kernel.Kernel[[]float64], err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.jobs) >= kept || w.jobs == nil {
		w.jobs = map[string]job{}
	}
	if len(w.kernel) >= kept || w.kernel == nil {
		w.kernel = map[string]kernel.Kernel[[]float64]{}
	}
	if len(w.rows) >= kept || w.rows == nil {
		w.rows = map[string]*shards{}
	}
	j, known := w.jobs[name]
	if !known {
		if err = fetch(ctx, w.Store, name, &j); err != nil {
			return j, nil, nil, err
		}
		w.jobs[name] = j
	}
	if from = w.rows[j.Rows]; from == nil {
		if from, err = w.open(ctx, j.Rows); err != nil {
			return j, nil, nil, err
		}
		w.rows[j.Rows] = from
	}
	if k = w.kernel[j.Kernel]; k == nil {
		if k, err = w.make(ctx, j.Kernel, from.steps); err != nil {
			return j, nil, nil, err
		}
		w.kernel[j.Kernel] = k
	}
	return j, from, k, nil
}

// open opens the shards.
func (w *Worker) open(ctx context.Context, name string) (*shards, error) {
	var r rows
	if err := fetch(ctx, w.Store, name, &r); err != nil {
		return nil, err
	}
	steps := new(prep.Pipeline)
	if err := json.Unmarshal(r.Columns, steps); err != nil {
		return nil, err
	}
	if r.Stored {
		from, remote := w.Store.(Remote)
		if !remote {
			return nil, errors.New("distributed: the compiled files are in the store, and this worker's store has none")
		}
		folder := cmp.Or(w.Folder, filepath.Join(os.TempDir(), "mercer-shards"))
		var err error
		if r.Shards, err = downloaded(ctx, from, folder, r.Shards); err != nil {
			return nil, err
		}
	}
	blocks, err := open.OpenShards(r.Shards)
	if err != nil {
		return nil, err
	}
	streamed, err := steps.Stream(blocks, numbers(r.Kept))
	if err != nil {
		return nil, err
	}
	return &shards{streamed, steps}, nil
}

// make makes the kernel.
func (w *Worker) make(ctx context.Context, name string, steps *prep.Pipeline) (kernel.Kernel[[]float64], error) {
	var e expression
	if err := fetch(ctx, w.Store, name, &e); err != nil {
		return nil, err
	}
	var k kernel.Kernel[[]float64]
	var err error
	if e.Text != "" {
		k, err = parse(ctx, e.Text, steps)
	}
	for _, step := range e.Steps {
		if err == nil {
			k, err = step.Make(ctx, k, w.Compute)
		}
	}
	return k, err
}
