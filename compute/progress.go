package compute

import "example.org/mercer/internal/progress"

// Meter tells of one stage of a computation; see [Options.Meter].
type Meter = progress.Meter

// Meter begins a stage of total units and tells so; nil, which is silent, where nobody listens.
func (o Options) Meter(stage string, total int64) *Meter {
	return progress.Start(o.Progress, stage, total)
}
