package open_test

import (
	"context"
	"errors"
	"io"
	"testing"

	"example.org/mercer/data/open"
)

// TestStopWaiting ends the context while a pipe has nothing to give, before the first
// byte and after some. A reader that waits for more waits for ever: nobody writes it.
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
		_, err := open.Read(ctx, "-", open.Options{Stdin: r})
		if !errors.Is(err, stop) {
			t.Errorf("after %q: %v", start, err)
		}
		w.Close()
	}
}
