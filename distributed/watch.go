package distributed

import (
	"context"
	"slices"
	"time"

	"example.org/mercer/compute"
)

const (
	// lookEvery is the time between two looks at what workers have done, and lookedAt the most
	// files that one asks for: each is a request where the store is not on a disk.
	lookEvery = 500 * time.Millisecond
	lookedAt  = 64
	// awaitEvery is the time between two looks of [Await] at a store that is on a disk.
	awaitEvery = 10 * time.Millisecond
)

// Await returns when all pieces have results in the store, or with the cause of the context's end.
// An engine that hears of the end of its own job late need not wait for that: results are what
// counts.
func Await(ctx context.Context, store Store, pieces []Piece) error {
	every := awaitEvery
	if _, remote := store.(Remote); remote {
		every = lookEvery
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for left := pieces; len(left) > 0; {
		if there, err := store.Has(ctx, left[0].out()); err == nil && there {
			left = left[1:]
			continue
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
		}
	}
	return nil
}

// watch tells how many of the pieces have results in the store, until stop is called. The results
// are what counts: engines differ in when they tell of a piece, and in whether they do.
func watch(ctx context.Context, store Store, pieces []Piece, m *compute.Meter) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(lookEvery)
		defer ticker.Stop()
		for left := slices.Clone(pieces); len(left) > 0 && m != nil; {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			left = look(ctx, store, left, m)
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// look asks for some of the pieces, and returns those that are not done, with the ones that were
// asked for at the end. A store that does not answer is no matter of progress.
func look(ctx context.Context, store Store, pieces []Piece, m *compute.Meter) []Piece {
	asked := pieces[:min(lookedAt, len(pieces))]
	left := slices.Clone(pieces[len(asked):])
	for _, p := range asked {
		if there, err := store.Has(ctx, p.out()); err == nil && there {
			m.Add(1)
			continue
		}
		left = append(left, p)
	}
	return left
}
