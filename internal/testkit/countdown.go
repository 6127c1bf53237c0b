package testkit

import (
	"context"
	"sync/atomic"
)

// Countdown returns a context that ends once it has been asked a number of times. It stops a
// computation in the middle of its work, at the same place on every machine.
func Countdown(ctx context.Context, times int64) context.Context {
	c := &countdown{Context: ctx}
	c.left.Store(times)
	return c
}

type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return c.Context.Err()
}
