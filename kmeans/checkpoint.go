package kmeans

import (
	"context"
	"fmt"
)

// lloyd runs Lloyd's iteration from a start: one step of a checkpoint, which bears the number of the
// start, for those that go through a file side by side end in any order.
func (p *problem) lloyd(ctx context.Context, k, start int, o Options) (*lloyd, error) {
	if o.Compute.Checkpoint == nil {
		return p.iterate(ctx, k, start, o)
	}
	l := &lloyd{problem: p, k: k, centres: make([]float64, k*p.d), labels: make([]int32, p.n)}
	labels, counts := make([]float64, p.n), make([]float64, 6)
	err := o.Compute.Step(ctx, fmt.Sprintf("start %d", start), [][]float64{l.centres, labels, counts}, func() error {
		run, err := p.iterate(ctx, k, start, o)
		if err != nil {
			return err
		}
		copy(l.centres, run.centres)
		for i, j := range run.labels {
			labels[i] = float64(j)
		}
		copy(counts, []float64{run.inertia, float64(run.iterations), float64(run.relocated), float64(run.passes), float64(run.seen), 0})
		if run.converged {
			counts[5] = 1
		}
		return nil
	})
	for i, j := range labels {
		l.labels[i] = int32(j)
	}
	l.inertia, l.iterations, l.relocated, l.passes, l.seen, l.converged = counts[0], int(counts[1]), int(counts[2]), int(counts[3]), int(counts[4]), counts[5] == 1
	return l, err
}

func (p *problem) iterate(ctx context.Context, k, start int, o Options) (*lloyd, error) {
	centres, err := p.start(ctx, k, start, o)
	if err != nil {
		return nil, err
	}
	l := newLloyd(p, k, centres)
	return l, l.run(ctx, o)
}
