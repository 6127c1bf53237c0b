// Package parallel shares numbered pieces of work among goroutines. Whoever makes every
// piece write places of its own, and adds partial sums up in the order of the pieces,
// gets the same bits for any number of workers.
package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// leastMost is the number of goroutines that may be asked for on any machine, so that a result can
// be compared over many numbers of them.
const leastMost = 64

// Workers returns how many goroutines to use where so many were asked for: one for each usable
// core where 0 or fewer were, and at most four for each, or 64: more only take memory.
func Workers(asked int) int {
	cores := runtime.GOMAXPROCS(0)
	if asked <= 0 {
		return cores
	}
	return min(asked, max(4*cores, leastMost))
}

// Each calls work(worker, i) once for every i < n from at most the given number of
// goroutines; worker < workers separates them. It hands out i in ascending order, stops
// when ctx ends, and returns the error of ctx.
func Each(ctx context.Context, workers, n int, work func(worker, i int)) error {
	workers = max(1, min(workers, n, Workers(workers)))
	if workers == 1 {
		for i := 0; i < n && ctx.Err() == nil; i++ {
			work(0, i)
		}
		return ctx.Err()
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(w, i)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// Sum is Each for pieces that return a number: their sum in the order of the pieces.
func Sum(ctx context.Context, workers, n int, piece func(worker, i int) float64) (float64, error) {
	parts := make([]float64, n)
	err := Each(ctx, workers, n, func(worker, i int) { parts[i] = piece(worker, i) })
	total := 0.0
	for _, p := range parts {
		total += p
	}
	return total, err
}
