package compute

import "sync"

// Meter serialises the progress reports of one stage.
type Meter struct {
	report      func(stage string, done, total int64)
	stage       string
	mu          sync.Mutex
	done, total int64
}

// NewMeter returns a meter of total units, or nil where nobody listens.
func NewMeter(o Options, stage string, total int64) *Meter {
	if o.Progress == nil {
		return nil
	}
	return &Meter{report: o.Progress, stage: stage, total: total}
}

// Add tells that units more are done. A nil meter is silent.
func (m *Meter) Add(units int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += units
	m.report(m.stage, m.done, m.total)
}
