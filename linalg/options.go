package linalg

import (
	"context"

	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/progress"
)

// Options say how to compute, never what. The zero value is ready.
type Options struct {
	// Workers is the number of goroutines that share the tiles; 0 means GOMAXPROCS.
	// Results have the same bits for any number.
	Workers int
	// Progress, if not nil, is told how much of a stage is done, in units that are proportional to
	// work: first nothing, then more, and all in the end. Calls are serialised.
	Progress func(stage string, done, total int64)
	// Step, if not nil, keeps what takes long in a checkpoint: the block columns of a Cholesky
	// factor, n²/2 numbers in all, and of an eigendecomposition the panels of the tridiagonal
	// form and the eigenvectors, n² each. It fills the results from what is kept, or else by
	// compute.
	Step func(ctx context.Context, name string, results [][]float64, compute func() error) error
}

// workers returns Workers, or the number of usable cores if it is not positive.
func (o Options) workers() int { return parallel.Workers(o.Workers) }

func (o Options) meter(stage string, total int64) *progress.Meter {
	return progress.Start(o.Progress, stage, total)
}

// each calls f(0) … f(n−1), each once, from at most workers goroutines, and hands out
// the calls in this order. It stops handing out when ctx ends and then returns the
// error of ctx. The calls must not depend on one another.
func each(ctx context.Context, workers, n int, f func(i int)) error {
	return parallel.Each(ctx, workers, n, func(_, i int) { f(i) })
}
