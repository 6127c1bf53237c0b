package open_test

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"example.org/mercer/data/open"
)

// TestStopWaiting ends the context while a pipe has nothing to give, before the first
// byte and after some: the reader must not wait for more.
func TestStopWaiting(t *testing.T) {
	for _, start := range []string{"", "a,b\n1,2\n"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("enough")
		r, w := io.Pipe()
		go func() {
			if start != "" {
				w.Write([]byte(start))
			}
			cancel(stop)
		}()
		begin := time.Now()
		_, err := open.Read(ctx, "-", open.Options{Stdin: r})
		if !errors.Is(err, stop) {
			t.Errorf("after %q: %v", start, err)
		}
		if d := time.Since(begin); d > time.Second {
			t.Errorf("after %q: took %v to stop", start, d)
		}
		w.Close()
	}
}
