package verb

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestBarOnlyOnTerminals: a stderr that is no terminal gets no bar.
func TestBarOnlyOnTerminals(t *testing.T) {
	var stderr bytes.Buffer
	b := newBar(&Invocation{Stderr: &stderr})
	b.report("gram", 0, 10)
	b.since = b.since.Add(-time.Minute)
	b.report("gram", 5, 10)
	b.stop()
	if stderr.Len() != 0 {
		t.Errorf("a bar was drawn: %q", stderr.String())
	}
}

// TestBarDraws: on a terminal, work that lasts gets a bar with its stage and share,
// and leaves nothing behind.
func TestBarDraws(t *testing.T) {
	var terminal bytes.Buffer
	b := &bar{to: &terminal}
	b.report("gram", 0, 100)
	if terminal.Len() != 0 {
		t.Errorf("a bar was drawn at once: %q", terminal.String())
	}
	b.since = b.since.Add(-time.Minute)
	b.report("gram", 25, 100)
	time.Sleep(150 * time.Millisecond) // the bar draws ten times a second
	b.report("gram", 50, 100)
	if out := terminal.String(); !strings.Contains(out, "gram") || !strings.Contains(out, "50%") {
		t.Errorf("the bar does not say gram and 50%%: %q", out)
	}
	b.report("factor", 0, 100)
	if b.drawn != nil {
		t.Error("the bar of the last stage stands beside the next")
	}
	b.stop()
}
