package verb

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// clock is a time that moves when it is told to.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func (c *clock) pass(d time.Duration) { c.Time = c.Add(d) }

// watched returns a bar that is looked at by hand.
func watched(terminal bool) (*bar, *clock, *bytes.Buffer) {
	out, c := new(bytes.Buffer), &clock{time.Unix(1e9, 0)}
	b := &bar{to: out, terminal: terminal, now: c.now}
	b.timer = time.NewTimer(time.Hour)
	return b, c, out
}

// TestBarOnlyForFiles: a stderr that is no file gets nothing, and --quiet gets nothing.
func TestBarOnlyForFiles(t *testing.T) {
	var stderr bytes.Buffer
	b := newBar(&Invocation{Stderr: &stderr})
	b.report("gram", 0, 10)
	b.report("gram", 5, 10)
	b.stop()
	if stderr.Len() != 0 {
		t.Errorf("a bar was drawn: %q", stderr.String())
	}
}

// TestBarDraws: work that lasts gets a bar on a terminal, from nothing on, also where nothing more
// is told, with what is left; it leaves nothing behind.
func TestBarDraws(t *testing.T) {
	b, c, out := watched(true)
	b.report("gram", 0, 100)
	b.show()
	if out.Len() != 0 {
		t.Errorf("a bar was drawn for work that may be over at once: %q", out.String())
	}
	c.pass(time.Second)
	b.show()
	if !strings.Contains(out.String(), "gram   0 % [") {
		t.Errorf("no bar after a second in which nothing was done: %q", out.String())
	}
	c.pass(time.Second)
	b.report("gram", 25, 100)
	b.show()
	if !strings.Contains(out.String(), "gram  25 % [=====") || !strings.Contains(out.String(), "about 6.0 s left") {
		t.Errorf("the bar does not say 25 %% and 6 s: %q", out.String())
	}
	out.Reset()
	b.report("gram", 100, 100)
	if out.String() != "\r\x1b[K" {
		t.Errorf("after the end there is %q", out.String())
	}
}

// TestBarOfSearch: one bar stands for trials, with the best until now; what goes on within a trial
// stands beside it and begins no bar of its own.
func TestBarOfSearch(t *testing.T) {
	b, c, out := watched(true)
	b.report("tune", 0, 40)
	b.report("gram", 0, 4)
	b.report("gram", 2, 4)
	c.pass(time.Second)
	b.show()
	if got := out.String(); !strings.Contains(got, "tune   0 %") || !strings.HasSuffix(got, "(gram 50 %, about 1.0 s left)") {
		t.Errorf("the bar is %q", got)
	}
	b.report("gram", 4, 4)
	b.report("factor", 0, 10)
	b.report("tune", 10, 40)
	b.tell("accuracy 0.934")
	c.pass(time.Second)
	out.Reset()
	b.show()
	if got := out.String(); !strings.Contains(got, "tune  25 %") || !strings.HasSuffix(got, "; accuracy 0.934") {
		t.Errorf("the bar is %q", got)
	}
	b.stop()
	if len(b.stages) != 0 {
		t.Error("stages are left after the end")
	}
}

// TestLog: a log gets no line of work that is over within half a minute, then one for a tenth of
// the way, none for less of it, and one again where work stands still for minutes.
func TestLog(t *testing.T) {
	b, c, out := watched(false)
	b.report("predict", 0, 1000)
	lines := func() int { b.show(); return strings.Count(out.String(), "\n") }
	for _, step := range []struct {
		wait  time.Duration
		done  int64
		lines int
	}{
		{time.Second, 1, 0}, {28 * time.Second, 5, 0}, {2 * time.Second, 6, 1}, // the first one
		{29 * time.Second, 150, 1}, {2 * time.Second, 160, 2}, // a tenth
		{time.Minute, 190, 2}, {time.Minute, 199, 2}, {4 * time.Minute, 199, 3}, // stands still
	} {
		c.pass(step.wait)
		b.report("predict", step.done, 1000)
		if got := lines(); got != step.lines {
			t.Errorf("at %d of 1000: %d lines, want %d:\n%s", step.done, got, step.lines, out)
		}
	}
	if strings.ContainsAny(out.String(), "\r\x1b") {
		t.Errorf("a log with the signs of a terminal: %q", out)
	}
}

// TestBarComesByItself: the bar is drawn by a clock of its own, not by what is told.
func TestBarComesByItself(t *testing.T) {
	drawn := make(chan string, 100)
	b := &bar{to: writes(drawn), terminal: true, now: time.Now}
	b.report("svm", 0, 10)
	if got := <-drawn; !strings.Contains(got, "svm") {
		t.Errorf("drawn: %q", got)
	}
	b.stop()
}

type writes chan string

func (w writes) Write(p []byte) (int, error) {
	w <- string(p)
	return len(p), nil
}
