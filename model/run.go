package model

import (
	"fmt"
	"time"
)

// Run says how a fit went, in the terms that all methods share. Their reports embed
// it.
type Run struct {
	Warnings []string `json:"warnings,omitempty"` // what the user must know
	Stages   []Stage  `json:"stages"`             // in their order
	Seconds  float64  `json:"seconds"`            // from the start to the end of the last stage
}

// Stage is one part of the work and the time it took.
type Stage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
}

// Ran returns the run itself: how what embeds it is recognised as a report.
func (r *Run) Ran() *Run { return r }

// Warn adds a warning.
func (r *Run) Warn(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// Before puts what ran before in front: its stages; its warnings come
// last.
func (r *Run) Before(earlier Run) {
	r.Stages, r.Seconds = append(earlier.Stages, r.Stages...), earlier.Seconds+r.Seconds
	r.Warnings = append(r.Warnings, earlier.Warnings...)
}

// Stopwatch splits the time of a fit into stages.
type Stopwatch struct{ start, last time.Time }

// NewStopwatch returns a stopwatch that has just been started.
func NewStopwatch() *Stopwatch {
	now := time.Now()
	return &Stopwatch{start: now, last: now}
}

// Lap ends the current stage under the given name.
func (w *Stopwatch) Lap(r *Run, name string) {
	now := time.Now()
	r.Stages = append(r.Stages, Stage{Name: name, Seconds: now.Sub(w.last).Seconds()})
	r.Seconds, w.last = now.Sub(w.start).Seconds(), now
}
