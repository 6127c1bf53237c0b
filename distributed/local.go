package distributed

import (
	"context"

	"golang.org/x/sync/errgroup"

	"example.org/mercer/compute"
)

// Local is an engine of goroutines on one machine: the slow obvious one, for tests and for those
// who write an engine of their own.
type Local struct {
	Store   Store
	Workers int // that compute at a time; 0: one
}

// Run works on the pieces.
func (l Local) Run(ctx context.Context, pieces []Piece) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, l.Workers))
	worker := &Worker{Store: l.Store, Compute: compute.Options{Workers: 1}}
	for _, p := range pieces {
		group.Go(func() error { return worker.Work(ctx, p) })
	}
	return group.Wait()
}
