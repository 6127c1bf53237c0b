package verb

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// bar draws progress with an ETA on standard error, but only where that is a terminal
// and only for work that lasts. One bar is drawn per stage.
type bar struct {
	mu    sync.Mutex
	to    io.Writer // nil: not a terminal
	stage string
	since time.Time
	drawn *progressbar.ProgressBar
}

func newBar(inv *Invocation) *bar {
	b := &bar{}
	if file, ok := inv.Stderr.(*os.File); ok && !inv.Quiet && !inv.JSON && term.IsTerminal(int(file.Fd())) {
		b.to = file
	}
	return b
}

// report is the progress callback of the computing options.
func (b *bar) report(stage string, done, total int64) {
	if b.to == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if stage != b.stage {
		b.clear()
		b.stage, b.since = stage, time.Now()
	}
	if b.drawn == nil {
		if time.Since(b.since) < 300*time.Millisecond {
			return
		}
		b.drawn = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(b.to),
			progressbar.OptionSetDescription(stage),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionShowElapsedTimeOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	_ = b.drawn.Set64(done)
}

func (b *bar) clear() {
	if b.drawn != nil {
		_ = b.drawn.Clear()
		b.drawn = nil
	}
}

// stop clears the bar.
func (b *bar) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clear()
	b.stage = ""
}
