package distributed

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
)

// Worker does pieces of jobs. It holds the rows and the kernel of the last pass, which so reach it
// once. It is safe for concurrent use.
type Worker struct {
	Store   Store
	Compute compute.Options // of a piece
	// Count is told how many rows, files and bytes of results pieces had; nil: nobody is.
	Count func(ctx context.Context, what string, n int64)
	// Folder keeps compiled files that come from a store that is [Remote]; "": one for temporary
	// files. Workers of a machine may share it.
	Folder string

	mu     sync.Mutex
	tables map[string]data.Blocks
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

// Work does a piece and stores its result, unless that is there. A failure is stored, too, in
// words.
func (w *Worker) Work(ctx context.Context, p Piece) error {
	there, err := w.Store.Has(ctx, p.out())
	if err != nil || there {
		return err
	}
	j, err := w.job(ctx, p.Job)
	var result []byte
	if err == nil {
		result, err = j.do(ctx, w, p)
	}
	if err == nil {
		w.count(ctx, "bytes", len(result))
		return w.Store.Write(ctx, p.out(), sealed(result))
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(err, w.Store.Write(ctx, p.failure(), []byte(err.Error())))
}

// folder is that of compiled files which come from a store.
func (w *Worker) folder() string {
	return cmp.Or(w.Folder, filepath.Join(os.TempDir(), "mercer-shards"))
}

func (w *Worker) count(ctx context.Context, what string, n int) {
	if w.Count != nil {
		w.Count(ctx, what, int64(n))
	}
}

// forget lets everything go, so that the next piece opens the files again.
func (w *Worker) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tables, w.rows, w.kernel, w.jobs = nil, nil, nil, nil
}

// job reads a job, unless it is held.
func (w *Worker) job(ctx context.Context, name string) (job, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.jobs) >= kept || w.jobs == nil {
		w.jobs = map[string]job{}
	}
	if j := w.jobs[name]; j != nil {
		return j, nil
	}
	var j sentJob
	if err := fetch(ctx, w.Store, name, &j); err != nil {
		return nil, err
	}
	w.jobs[name] = j.Job
	return j.Job, nil
}

// prepare reads rows and a kernel, those that are not held.
func (w *Worker) prepare(ctx context.Context, rows, by string) (from *shards, k kernel.Kernel[[]float64], err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.kernel) >= kept || w.kernel == nil {
		w.kernel = map[string]kernel.Kernel[[]float64]{}
	}
	if len(w.rows) >= kept || w.rows == nil {
		w.rows = map[string]*shards{}
	}
	if from = w.rows[rows]; from == nil {
		if from, err = w.open(ctx, rows); err != nil {
			return nil, nil, err
		}
		w.rows[rows] = from
	}
	if k = w.kernel[by]; k == nil {
		if k, err = w.make(ctx, by, from.steps); err != nil {
			return nil, nil, err
		}
		w.kernel[by] = k
	}
	return from, k, nil
}

// table opens the shards of a table, unless they are open.
func (w *Worker) table(ctx context.Context, name string) (data.Blocks, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.opened(ctx, name)
}

// opened is table for who holds the mutex.
func (w *Worker) opened(ctx context.Context, name string) (data.Blocks, error) {
	if len(w.tables) >= kept || w.tables == nil {
		w.tables = map[string]data.Blocks{}
	}
	if t := w.tables[name]; t != nil {
		return t, nil
	}
	var t table
	if err := fetch(ctx, w.Store, name, &t); err != nil {
		return nil, err
	}
	if t.Stored {
		from, remote := w.Store.(Remote)
		if !remote {
			return nil, errors.New("distributed: the compiled files are in the store, and this worker's store has none")
		}
		var err error
		if t.Shards, err = downloaded(ctx, from, w.folder(), t.Shards); err != nil {
			return nil, err
		}
	}
	blocks, err := open.OpenShards(t.Shards)
	if err == nil {
		w.tables[name] = blocks
	}
	return blocks, err
}

// open prepares rows of the shards.
func (w *Worker) open(ctx context.Context, name string) (*shards, error) {
	var r rows
	if err := fetch(ctx, w.Store, name, &r); err != nil {
		return nil, err
	}
	steps := new(prep.Pipeline)
	if err := json.Unmarshal(r.Columns, steps); err != nil {
		return nil, err
	}
	blocks, err := w.opened(ctx, r.Table)
	if err != nil {
		return nil, err
	}
	var numbers []int
	for _, run := range r.Kept {
		numbers = run.Numbers(numbers)
	}
	streamed, err := steps.Stream(blocks, numbers)
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
