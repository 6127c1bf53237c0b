package linalg

import (
	"context"
	"sync"

	"example.org/mercer/internal/parallel"
)

// Options say how to compute, never what. The zero value is ready.
type Options struct {
	// Workers is the number of goroutines that share the tiles; 0 means GOMAXPROCS.
	// Results have the same bits for any number.
	Workers int
	// Progress, if not nil, is called from time to time with how much of the current stage
	// is done, in units that are proportional to work. Calls are serialised.
	Progress func(stage string, done, total int64)
	// Step, if not nil, keeps what takes long in a checkpoint: the block columns of a Cholesky
	// factor, n²/2 numbers in all, and of an eigendecomposition the panels of the tridiagonal
	// form and the eigenvectors, n² each. It fills the results from what is kept, or else by
	// compute.
	Step func(ctx context.Context, name string, results [][]float64, compute func() error) error
}

// workers returns Workers, or the number of usable cores if it is not positive.
func (o Options) workers() int { return parallel.Workers(o.Workers) }

// meter serialises reports of progress in one stage.
type meter struct {
	mu          sync.Mutex
	report      func(stage string, done, total int64)
	stage       string
	done, total int64
}

func (o Options) meter(stage string, total int64) *meter {
	return &meter{report: o.Progress, stage: stage, total: total}
}

// add reports that work more units are done.
func (m *meter) add(work int64) {
	if m.report == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += work
	m.report(m.stage, m.done, m.total)
}

// each calls f(0) … f(n−1), each once, from at most workers goroutines, and hands out
// the calls in this order. It stops handing out when ctx ends and then returns the
// error of ctx. The calls must not depend on one another.
func each(ctx context.Context, workers, n int, f func(i int)) error {
	return parallel.Each(ctx, workers, n, func(_, i int) { f(i) })
}
