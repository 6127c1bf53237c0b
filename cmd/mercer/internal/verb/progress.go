package verb

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"example.org/mercer/compute"
)

const (
	// patience is how long work takes before it is worth a bar.
	patience = 300 * time.Millisecond
	// redraw is the time between two pictures of a bar.
	redraw = 200 * time.Millisecond
	// logPatience is how long work takes before it is worth a line in a log, and the least time
	// between two lines; logSilence is the longest, where work makes no tenth of its way.
	logPatience, logSilence = 30 * time.Second, 5 * time.Minute
)

// bar shows on standard error how far the work of a verb has come, with the time that is left:
// where that is a terminal in one line that is drawn again and again, and else in lines of a log,
// for work that lasts. It shows the outermost stage, and beside it what goes on within.
type bar struct {
	mu       sync.Mutex
	to       io.Writer // nil: nobody watches
	terminal bool
	now      func() time.Time

	stages []stage // that have begun and not ended, the outermost first
	found  string  // what a search has come to
	drawn  bool
	logged time.Time // the last line of a log
	tenth  int64     // that it told of
	timer  *time.Timer
}

// stage is a piece of work.
type stage struct {
	name        string
	done, total int64
	since       time.Time
}

// left says how much time a stage still takes, once some of it is done.
func (s stage) left(now time.Time) string {
	if s.done == 0 {
		return ""
	}
	return fmt.Sprintf(", about %s left", compute.FormatSeconds(now.Sub(s.since).Seconds()*float64(s.total-s.done)/float64(s.done)))
}

func newBar(inv *Invocation) *bar {
	b := &bar{now: time.Now}
	if file, ok := inv.Stderr.(*os.File); ok && !inv.Quiet {
		b.to, b.terminal = file, term.IsTerminal(int(file.Fd()))
	}
	return b
}

// report is the progress callback of the computing options.
func (b *bar) report(name string, done, total int64) {
	if b.to == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	at := 0
	for at < len(b.stages) && b.stages[at].name != name {
		at++
	}
	began := at == len(b.stages)
	if began || done < b.stages[at].done {
		b.stages = append(b.stages[:at], stage{name: name, since: b.now()})
	}
	b.stages = b.stages[:at+1] // what was within it is over
	b.stages[at].done, b.stages[at].total = done, total
	if done >= total {
		b.stages = b.stages[:at]
	}
	switch {
	case len(b.stages) == 0:
		b.clear()
		b.found = ""
	case began && at == 0:
		b.logged, b.tenth = b.stages[0].since, 0
		b.wake(patience)
	}
}

// tell says what a search has found until now; it is shown beside its stage.
func (b *bar) tell(found string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.found = found
}

// wake shows the state in a while, and again and again as long as there is work.
func (b *bar) wake(in time.Duration) {
	if b.timer != nil {
		return
	}
	b.timer = time.AfterFunc(in, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.timer = nil
		if len(b.stages) > 0 {
			b.show()
			b.wake(redraw)
		}
	})
}

// show draws the bar, or writes a line to a log where it is time for one.
func (b *bar) show() {
	outer, now := b.stages[0], b.now()
	if b.terminal {
		if now.Sub(outer.since) >= patience {
			fmt.Fprint(b.to, "\r\x1b[K", b.line(now))
			b.drawn = true
		}
		return
	}
	waited, tenth := now.Sub(b.logged), 10*outer.done/outer.total
	if waited >= logPatience && (tenth > b.tenth || waited >= logSilence || b.logged == outer.since) {
		fmt.Fprintln(b.to, b.line(now))
		b.logged, b.tenth = now, tenth
	}
}

// barWidth is the number of characters that a bar has for the whole.
const barWidth = 20

// line says how far the outermost stage has come, and what goes on within it.
func (b *bar) line(now time.Time) string {
	outer := b.stages[0]
	var l strings.Builder
	fmt.Fprintf(&l, "%s %3d %%", Plain(outer.name), 100*outer.done/outer.total)
	if b.terminal {
		full := int(barWidth * outer.done / outer.total)
		fmt.Fprintf(&l, " [%s%s]", strings.Repeat("=", full), strings.Repeat(" ", barWidth-full))
	}
	fmt.Fprintf(&l, " %s%s", compute.FormatSeconds(now.Sub(outer.since).Seconds()), outer.left(now))
	if b.found != "" {
		fmt.Fprintf(&l, "; %s", Plain(b.found))
	}
	if b.terminal && len(b.stages) > 1 {
		inner := b.stages[len(b.stages)-1]
		fmt.Fprintf(&l, " (%s %d %%", Plain(inner.name), 100*inner.done/inner.total)
		if outer.done == 0 { // nothing else tells how long it will take
			l.WriteString(inner.left(now))
		}
		l.WriteString(")")
	}
	return l.String()
}

// clear takes the bar off the terminal.
func (b *bar) clear() {
	if b.drawn {
		fmt.Fprint(b.to, "\r\x1b[K")
		b.drawn = false
	}
}

// aside takes the bar off the terminal for a line of another kind; it comes back after it.
func (b *bar) aside() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
}

// stop ends all stages.
func (b *bar) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
	b.stages, b.found = nil, ""
}
