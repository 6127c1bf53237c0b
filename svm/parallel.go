package svm

import (
	"context"
	"sync"
	"sync/atomic"
)

// each calls work(worker, i) once for every i < n from at most the given number of
// goroutines, and stops handing out when ctx ends, whose error it returns.
func each(ctx context.Context, workers, n int, work func(worker, i int)) error {
	workers = max(1, min(workers, n))
	var next atomic.Int64
	loop := func(worker int) {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			work(worker, i)
		}
	}
	var wg sync.WaitGroup
	for w := 1; w < workers; w++ {
		wg.Go(func() { loop(w) })
	}
	loop(0)
	wg.Wait()
	return ctx.Err()
}

// cut returns the bounds of part i of n things cut into runs of side.
func cut(i, side, n int) (from, to int) { return i * side, min(n, (i+1)*side) }

// parts returns the number of runs of side that n things make.
func parts(n, side int) int { return (n + side - 1) / side }
