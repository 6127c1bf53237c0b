package distributed_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"example.org/mercer/distributed"
)

// slow is an engine that waits, after each piece, until that was told of.
type slow struct {
	to   distributed.Engine
	told chan int64
}

func (s slow) Run(ctx context.Context, pieces []distributed.Piece) error {
	for i := range pieces {
		if err := s.to.Run(ctx, pieces[i:i+1]); err != nil {
			return err
		}
		for done := int64(0); i < len(pieces)-1 && done < int64(i+1); {
			select {
			case done = <-s.told:
			case <-time.After(time.Minute):
				return context.DeadlineExceeded
			}
		}
	}
	return nil
}

// TestProgress: each piece is told of while the pass goes on, and at the end all are.
func TestProgress(t *testing.T) {
	store := distributed.Folder(t.TempDir())
	told := make(chan int64, 100)
	in, steps, rows := table(t, slow{distributed.Local{Store: store}, told}, store)
	var heard []int64
	in.Progress = func(stage string, done, total int64) {
		if total != 5 || !strings.Contains(stage, "pieces") {
			t.Errorf("of %q with %d pieces, not of 5", stage, total)
		}
		heard = append(heard, done)
		told <- done
	}
	d, err := in.Driver(steps, rows.Streamed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := run(t, d, count{}, false); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(heard, []int64{0, 1, 2, 3, 4, 5}) {
		t.Errorf("progress is %v", heard)
	}
}

// TestAwait ends when the last result is there, with the cause of the context's end if that comes
// first.
func TestAwait(t *testing.T) {
	store := distributed.Folder(t.TempDir())
	pieces := []distributed.Piece{{Key: "a"}, {Key: "b"}, {Key: "c"}}
	write := func(key string) {
		if err := store.Write(t.Context(), "pieces/"+key+".out", nil); err != nil {
			t.Error(err)
		}
	}
	for _, key := range []string{"a", "c"} {
		write(key)
	}
	why := errors.New("the job has failed")
	ctx, fail := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { fail(why) })
	if err := distributed.Await(ctx, store, pieces); !errors.Is(err, why) {
		t.Errorf("without a result of the second it ends with %v", err)
	}
	time.AfterFunc(50*time.Millisecond, func() { write("b") })
	for range 2 {
		err := distributed.Await(t.Context(), store, pieces)
		if there, problem := store.Has(t.Context(), "pieces/b.out"); err != nil || problem != nil || !there {
			t.Errorf("it ends with %v; the last result is there: %t, %v", err, there, problem)
		}
	}
}
