package gram

import "sync"

// meter serialises the progress reports of one stage.
type meter struct {
	report      func(stage string, done, total int64)
	stage       string
	mu          sync.Mutex
	done, total int64
}

// newMeter returns a meter of total units, or nil where nobody listens.
func newMeter(o Options, stage string, total int64) *meter {
	if o.Progress == nil {
		return nil
	}
	return &meter{report: o.Progress, stage: stage, total: total}
}

// add tells that units more are done. A nil meter is silent.
func (m *meter) add(units int64) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += units
	m.report(m.stage, m.done, m.total)
}
