// Package progress tells how far a piece of work has come, for whoever waits for it.
//
// A piece of work is a stage with a name. Whoever listens hears of every stage that begins: first
// that nothing is done, then more and more, and at last that all of it is, unless it fails.
// A stage may begin within another one; it ends before that goes on.
package progress

import (
	"context"
	"sync"
)

// Func is told how much of a stage is done, in units that are proportional to work where that is
// known. Calls are serialised.
type Func = func(stage string, done, total int64)

// Meter tells of one stage. A nil meter is silent.
type Meter struct {
	tell        Func
	stage       string
	mu          sync.Mutex
	done, total int64
}

// Start begins a stage of total units and tells that none is done; nil where nobody listens.
func Start(tell Func, stage string, total int64) *Meter {
	if tell == nil {
		return nil
	}
	m := &Meter{tell: tell, stage: stage, total: max(total, 1)}
	tell(stage, 0, m.total)
	return m
}

// Add tells that units more are done.
func (m *Meter) Add(units int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reach(m.done + units)
}

// Reach tells that so many units are done: more than before, or nothing is told.
func (m *Meter) Reach(done int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.reach(done)
}

// Done tells that all is done: work that is bounded by its total often ends before it.
func (m *Meter) Done() {
	if m == nil {
		return
	}
	m.Reach(m.total)
}

// End ends a stage that ctx may have ended before: all is done, unless it has.
func (m *Meter) End(ctx context.Context) {
	if ctx.Err() == nil {
		m.Done()
	}
}

func (m *Meter) reach(done int64) {
	if done = min(done, m.total); done > m.done {
		m.done = done
		m.tell(m.stage, m.done, m.total)
	}
}
