package model

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"example.org/mercer/compute"
)

// blockRows is how many points one job predicts: small enough that ctx is seen
// within a second for slow kernels, large enough to be worth a look at a shared counter.
const blockRows = 32

// blocks cuts rows 0 … n−1 into fixed blocks and runs work on each, in parallel. The
// blocks do not depend on the number of workers, so neither do the results.
func blocks(ctx context.Context, n int, o compute.Options, work func(from, to int)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var next atomic.Int64
	told := o.Meter("predict", int64(n))
	g, ctx := errgroup.WithContext(ctx)
	for range min(o.WorkerCount(), (n+blockRows-1)/blockRows) {
		g.Go(func() error {
			for {
				from := int(next.Add(blockRows)) - blockRows
				if from >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				to := min(from+blockRows, n)
				work(from, to)
				told.Add(int64(to - from))
			}
		})
	}
	return g.Wait()
}
