// Package progresstest listens to the progress of work, and says where it breaks the rules of
// package progress: a stage begins with nothing done, never falls, and ends with all of it, after
// those that began within it.
package progresstest

import (
	"fmt"
	"sync"
)

// Listener is told of progress. Its zero value is ready.
type Listener struct {
	// At, if not nil, is called with the number of each event, from 1 on.
	At func(event int)

	mu       sync.Mutex
	events   int
	open     []stage
	problems []string
}

type stage struct {
	name        string
	done, total int64
}

// Tell hears an event.
func (l *Listener) Tell(name string, done, total int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.events++; l.At != nil {
		l.At(l.events)
	}
	at := len(l.open) - 1
	for at >= 0 && l.open[at].name != name {
		at--
	}
	switch {
	case total < 1 || done < 0 || done > total:
		l.problem("%s tells %d of %d", name, done, total)
	case at < 0 || done == 0: // a stage may begin within another one of its name
		if done != 0 {
			l.problem("%s begins at %d of %d", name, done, total)
		}
		l.open = append(l.open, stage{name, done, total})
	default:
		l.closeAbove(at)
		if s := l.open[at]; done < s.done || total != s.total {
			l.problem("%s is at %d of %d after %d of %d", name, done, total, s.done, s.total)
		}
		l.open[at].done = done
		if done == total {
			l.open = l.open[:at]
		}
	}
}

// closeAbove says which stages within another one have not ended when that goes on.
func (l *Listener) closeAbove(at int) {
	for _, s := range l.open[at+1:] {
		l.problem("%s stands at %d of %d when %s goes on", s.name, s.done, s.total, l.open[at].name)
	}
	l.open = l.open[:at+1]
}

func (l *Listener) problem(format string, values ...any) {
	if len(l.problems) < 10 {
		l.problems = append(l.problems, fmt.Sprintf(format, values...))
	}
}

// Events is the number of events until now.
func (l *Listener) Events() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.events
}

// End returns what was wrong with the progress of work that has come to its end.
func (l *Listener) End() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.open {
		l.problem("%s ends at %d of %d", s.name, s.done, s.total)
	}
	if l.events == 0 {
		l.problem("nothing was told")
	}
	return l.problems
}
