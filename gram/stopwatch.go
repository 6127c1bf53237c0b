package gram

import "time"

// stopwatch times a piece of work as an idle machine would take for it: the time that went by or, if
// that is less, the processor time of the process, because work that waits for nothing takes no
// longer than all of its threads together. What other processes do counts in the first alone.
type stopwatch struct {
	start    time.Time
	computed time.Duration
	known    bool
}

func startWatch() stopwatch {
	w := stopwatch{start: time.Now()}
	w.computed, w.known = processorTime()
	return w
}

// seconds returns the time since the start, never 0.
func (w stopwatch) seconds() float64 {
	elapsed := time.Since(w.start)
	if now, ok := processorTime(); ok && w.known {
		elapsed = min(elapsed, now-w.computed)
	}
	return max(elapsed.Seconds(), shortest)
}

// shortest is taken for what no clock resolves, in seconds.
const shortest = 1e-9
