package stoppable_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"example.org/mercer/internal/stoppable"
)

// TestReader: all bytes come, whatever their number, and none once the context has ended, also
// where the reader below waits without end.
func TestReader(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 14, 1<<14 + 1, 100000} {
		want := bytes.Repeat([]byte{7, 1, 3}, n)
		got, err := io.ReadAll(stoppable.Reader(t.Context(), bytes.NewReader(want)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes of %d: %v", len(got), len(want), err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	below, writer := io.Pipe()
	defer writer.Close()
	stop := errors.New("enough")
	go cancel(stop)
	if _, err := io.ReadAll(stoppable.Reader(ctx, below)); !errors.Is(err, stop) {
		t.Errorf("it ends with %v", err)
	}
}
