package compute

import (
	"testing"
	"time"
)

// TestWorkIsNotWaiting: waiting, as for a processor that others have, is no work; and threads side
// by side take no longer than the clock says.
func TestWorkIsNotWaiting(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name              string
		elapsed, computed time.Duration
		known             bool
		want              float64
	}{
		{"waiting", 50 * ms, 1 * ms, true, 1e-3},
		{"one thread", 20 * ms, 20 * ms, true, 20e-3},
		{"two threads", 20 * ms, 40 * ms, true, 20e-3},
		{"an unknown processor time", 20 * ms, 0, false, 20e-3},
		{"nothing", 0, 0, true, shortest},
	} {
		if got := work(c.elapsed, c.computed, c.known); got != c.want {
			t.Errorf("%s: %v s, want %v", c.name, got, c.want)
		}
	}
}

// TestStopwatchGoesOn reads a watch twice around some work.
func TestStopwatchGoesOn(t *testing.T) {
	w := StartStopwatch()
	first, sum := w.Seconds(), 0.0
	for i := range 1_000_000 {
		sum += float64(i)
	}
	if second := w.Seconds(); first <= 0 || second < first {
		t.Errorf("%v s, and after some work (sum %v) %v s", first, sum, second)
	}
	if own := w.Own(); own < 0 || own > 1 {
		t.Errorf("a share of %v", own)
	}
}
