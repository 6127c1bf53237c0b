package compute

import (
	"runtime"
	"time"
)

// Stopwatch times a piece of work as an idle machine would take for it: the time that went by or,
// if that is less, the processor time of the process, because work that waits for nothing takes no
// longer than all of its threads together. What other processes do counts in the first alone.
type Stopwatch struct {
	start    time.Time
	computed time.Duration
	known    bool
}

// StartStopwatch starts a watch.
func StartStopwatch() Stopwatch {
	w := Stopwatch{start: time.Now()}
	w.computed, w.known = processorTime()
	return w
}

// Seconds returns the time since the start, never 0.
func (w Stopwatch) Seconds() float64 {
	now, ok := processorTime()
	return work(time.Since(w.start), now-w.computed, ok && w.known)
}

// work returns the seconds of a piece of work from the time that went by and, where it is known,
// the processor time of the process meanwhile.
func work(elapsed, computed time.Duration, known bool) float64 {
	if known {
		elapsed = min(elapsed, computed)
	}
	return max(elapsed.Seconds(), shortest)
}

// shortest is taken for what no clock resolves, in seconds.
const shortest = 1e-9

// Own returns the part of the time since the start that was work of this process, at most 1.
func (w Stopwatch) Own() float64 {
	elapsed := time.Since(w.start).Seconds()
	return min(1, w.Seconds()/max(elapsed, shortest))
}

// Share returns the part that this process had, since the start, of as many processors as so many
// workers can use; 0 where its processor time is unknown.
func (w Stopwatch) Share(workers int) float64 {
	now, ok := processorTime()
	if !ok || !w.known {
		return 0
	}
	most := time.Since(w.start).Seconds() * float64(min(workers, runtime.GOMAXPROCS(0)))
	return min(1, (now-w.computed).Seconds()/max(most, shortest))
}
