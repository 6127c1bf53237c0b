package gram

import (
	"context"
	"sync"
	"sync/atomic"
)

// forEach calls work(worker, i) once for every i < n from at most the given number of
// goroutines, worker < workers telling them apart. It hands out i in ascending
// order, stops handing out when ctx ends, and returns the error of ctx.
func forEach(ctx context.Context, workers, n int, work func(worker, i int)) error {
	workers = max(1, min(workers, n))
	if workers == 1 {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			work(0, i)
		}
		return ctx.Err()
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(w, i)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

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
