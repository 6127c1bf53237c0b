package progress

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
)

// TestMeter: a stage begins with nothing, never falls, ends with all, and says nothing twice.
func TestMeter(t *testing.T) {
	var heard []string
	m := Start(func(stage string, done, total int64) { heard = append(heard, fmt.Sprint(stage, " ", done, "/", total)) }, "gram", 10)
	m.Add(3)
	m.Reach(2)
	m.Add(4)
	m.Add(0)
	m.Reach(20)
	m.Done()
	if want := []string{"gram 0/10", "gram 3/10", "gram 7/10", "gram 10/10"}; !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
}

// TestNothing: work of no units ends, and a stage that nobody listens to is silent.
func TestNothing(t *testing.T) {
	calls := 0
	Start(func(_ string, done, total int64) { calls++ }, "rows", 0).Done()
	if calls != 2 {
		t.Errorf("%d calls for work of no units, want its begin and its end", calls)
	}
	m := Start(nil, "rows", 5)
	m.Add(1)
	m.Reach(2)
	m.Done()
}

// TestSerialised: goroutines that share a meter tell everything, in an order that never falls.
func TestSerialised(t *testing.T) {
	last := int64(0)
	m := Start(func(_ string, done, total int64) {
		if done != 0 && done <= last {
			t.Errorf("%d after %d", done, last)
		}
		last = done
	}, "tiles", 400)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				m.Add(1)
			}
		})
	}
	all.Wait()
	if last != 400 {
		t.Errorf("%d of 400 were told", last)
	}
}

// TestEnd: a stage that was cancelled does not claim that all is done.
func TestEnd(t *testing.T) {
	last := int64(-1)
	tell := func(_ string, done, _ int64) { last = done }
	ctx, stop := context.WithCancel(t.Context())
	Start(tell, "search", 7).End(ctx)
	if last != 7 {
		t.Errorf("a search that ended by itself ends at %d of 7", last)
	}
	m := Start(tell, "search", 7)
	stop()
	if m.End(ctx); last != 0 {
		t.Errorf("a search that was cancelled ends at %d", last)
	}
}
