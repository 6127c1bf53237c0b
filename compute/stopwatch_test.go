package compute

import (
	"testing"
	"time"
)

// TestWatchCountsWork: waiting, as for a processor that others have, is no work.
func TestWatchCountsWork(t *testing.T) {
	if _, ok := processorTime(); !ok {
		t.Skip("processor times are not known on this system")
	}
	w := StartStopwatch()
	time.Sleep(50 * time.Millisecond)
	if got := w.Seconds(); got <= 0 || got > 0.025 {
		t.Errorf("50 ms of waiting count as %v s of work", got)
	}
	w = StartStopwatch()
	began, sum := time.Now(), 0.0
	for i := 0; time.Since(began) < 20*time.Millisecond; i++ {
		sum += float64(i)
	}
	if got, all := w.Seconds(), time.Since(began).Seconds(); got <= shortest || got > 2*all {
		t.Errorf("%v s of work (sum %v) count as %v s", all, sum, got)
	}
}
