// Package stoppable has readers that end with a context.
package stoppable

import (
	"context"
	"io"
)

// chunk is the number of bytes of a read.
const chunk = 1 << 14

// Reader returns a reader that fails as soon as ctx has ended, of one that may wait long, as a
// pipe does: reading goes on in a goroutine of its own, which a read that never returns outlives.
func Reader(ctx context.Context, r io.Reader) io.Reader {
	return &detached{ctx: ctx, r: r, done: make(chan arrival, 1)}
}

// detached reads into a buffer of its own, so that a read which outlives its context
// never touches the caller's memory.
type detached struct {
	ctx  context.Context
	r    io.Reader
	done chan arrival
	buf  [chunk]byte
	got  []byte // what was read and not yet passed on
	err  error  // what came with it
}

// arrival is the outcome of one read.
type arrival struct {
	n   int
	err error
}

// Read waits for the next bytes or for the end of the context.
func (d *detached) Read(p []byte) (int, error) {
	if d.ctx.Err() != nil {
		return 0, context.Cause(d.ctx)
	}
	if len(d.got) == 0 && d.err == nil {
		go func() {
			n, err := d.r.Read(d.buf[:])
			d.done <- arrival{n, err}
		}()
		select {
		case a := <-d.done:
			d.got, d.err = d.buf[:a.n], a.err
		case <-d.ctx.Done():
			return 0, context.Cause(d.ctx)
		}
	}
	n := copy(p, d.got)
	if d.got = d.got[n:]; len(d.got) > 0 {
		return n, nil
	}
	return n, d.err
}
