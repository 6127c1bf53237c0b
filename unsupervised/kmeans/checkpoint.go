package kmeans

import (
	"context"
	"fmt"
	"slices"

	"example.org/mercer/compute"
)

// lloyd runs Lloyd's iteration from a start: one step of a checkpoint, which bears the number of
// the start, for those that go through a file side by side end in any order. Within it each centre
// of k-means++ and each iteration is a step.
func (p *problem) lloyd(ctx context.Context, k, start int, o Options) (*lloyd, error) {
	if o.Compute.Checkpoint == nil {
		return p.iterate(ctx, k, start, o)
	}
	l := &lloyd{problem: p, k: k, centres: make([]float64, k*p.d), labels: make([]int32, p.n)}
	labels, counts, name := make([]float64, p.n), make([]float64, 6), fmt.Sprintf("start %d", start)
	err := o.Compute.Step(ctx, name, [][]float64{l.centres, labels, counts}, func() error {
		o.Compute = o.Compute.Within(name)
		run, err := p.iterate(ctx, k, start, o)
		if err != nil {
			return err
		}
		copy(l.centres, run.centres)
		for i, j := range run.labels {
			labels[i] = float64(j)
		}
		copy(counts, []float64{run.inertia, float64(run.iterations), float64(run.relocated), float64(run.passes), float64(run.compared), oneIf(run.converged)})
		return nil
	})
	for i, j := range labels {
		l.labels[i] = int32(j)
	}
	l.inertia, l.iterations, l.relocated, l.passes, l.compared, l.converged = counts[0], int(counts[1]), int(counts[2]), int(counts[3]), int(counts[4]), counts[5] == 1
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

// checkpointedIteration is an iteration as a step of a checkpoint: the centres, the sums that they
// are means of, and some counts. The labels, n numbers, are not kept: they are those of the
// centres before. One pass finds them again where the next iteration has to be computed.
func (l *lloyd) checkpointedIteration(ctx context.Context, o compute.Options) (changed int, movement float64, err error) {
	if o.Checkpoint == nil {
		return l.iteration(ctx)
	}
	t, before, known := &l.sums, slices.Clone(l.centres), true
	rows, counts := make([]float64, l.k), make([]float64, 8)
	err = o.Step(ctx, "iteration", [][]float64{l.centres, t.sum, t.mass, rows, counts}, func() error {
		known = false
		if err := l.relabel(ctx); err != nil {
			return err
		}
		changed, movement, err := l.iteration(ctx)
		for j, n := range t.rows {
			rows[j] = float64(n)
		}
		copy(counts, []float64{float64(changed), movement, float64(l.relocated), float64(l.passes), float64(l.compared), oneIf(t.known), float64(t.corrected), float64(t.moved)})
		return err
	})
	if known && err == nil {
		l.unlabelled = before
		for j, n := range rows {
			t.rows[j] = int(n)
		}
		l.relocated, l.passes, l.compared = int(counts[2]), int(counts[3]), int(counts[4])
		t.known, t.corrected, t.moved = counts[5] == 1, int(counts[6]), int(counts[7])
	}
	return int(counts[0]), counts[1], err
}

// relabel gives the rows the labels of the last iteration where it came from a checkpoint: those
// of the centres before it.
func (l *lloyd) relabel(ctx context.Context) error {
	if l.unlabelled == nil {
		return nil
	}
	now := l.centres
	l.centres, l.unlabelled = l.unlabelled, nil
	_, err := l.assign(ctx)
	copy(l.previous, l.centres)
	l.centres = now
	l.movement()
	return err
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
