package engine

import (
	"context"
	"net"
	"os"
)

// watched is a pool for the worker processes of Prism, which itself waits without end for one that
// was killed.
type watched struct {
	address string
	lost    chan error // why a worker is lost
	close   func()
}

// startWatched starts the pool; log says whether what workers print is shown.
func startWatched(command string, log bool) (*watched, error) {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return nil, err
	}
	w := &watched{address: l.Addr().String(), lost: make(chan error, 1)}
	pool := Pool{Command: command, Lost: func(why error) {
		select {
		case w.lost <- why:
		default: // one is enough
		}
	}}
	if log {
		pool.Output = os.Stderr
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = pool.Serve(ctx, l) // ends with the context
	}()
	w.close = func() {
		cancel()
		<-over
	}
	return w, nil
}

// watch cancels a job when a worker is lost, until done is called.
func (w *watched) watch(cancel context.CancelCauseFunc) (done func()) {
	over := make(chan struct{})
	go func() {
		select {
		case why := <-w.lost:
			cancel(why)
		case <-over:
		}
	}()
	return func() { close(over) }
}
