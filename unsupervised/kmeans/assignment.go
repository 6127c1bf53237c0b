package kmeans

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
	"example.org/mercer/pass"
)

func init() { pass.RegisterWork(assignment{}) }

// assignment is [lloyd.assign] of streamed rows: with each a label, a weight and, where bounds are
// kept, the time until which these hold go along, and label and time are made. The sums are the
// [partialSums] of the corrections, those of all rows where they are expected to be needed, how
// many rows moved, and how many were compared.
type assignment struct {
	Mean, Centres, Clock []float64
	Scale                float64 // of the panels
	Bounds, Whole        bool
}

// Sizes counts all that.
func (w assignment) Sizes(dim int) (in, out, sums int) {
	in, out, sums = 2, 1, len(w.Clock)*(dim+2)+2
	if w.Bounds {
		in, out = in+1, out+1
	}
	if w.Whole {
		sums += len(w.Clock) * (dim + 2)
	}
	return in, out, sums
}

// Worker assigns a block at a time, as if there were no other.
func (w assignment) Worker(dim int, _ level3.Implementation) func(pass.Block) {
	p := &problem{n: pass.BlockRows, d: dim, streamed: true, mean: w.Mean, w: make([]float64, pass.BlockRows), panels: panels{d: dim, scale: w.Scale}}
	k := len(w.Clock)
	l := &lloyd{problem: p, k: k, centres: w.Centres, labels: make([]int32, p.n), exact: exact{mean: w.Mean}, bounds: newHamerlyBounds(p, k), comparedIn: make([]int, 1)}
	l.sums.moves = make([][]move, 1)
	l.bounds.clock = w.Clock
	l.setCentres()
	buf := newBuffer(dim)
	return func(b pass.Block) {
		p.n = b.X.RawMatrix().Rows
		for i := range p.n {
			along := b.In.RawRowView(i)
			if l.labels[i], p.w[i] = int32(along[0]), along[1]; w.Bounds {
				l.bounds.until[i] = along[2]
			}
		}
		buf.rows, buf.block = b.Vectors(), 0
		l.assignBlock(buf, 0)
		for i := range p.n {
			made := b.Out.RawRowView(i)
			if made[0] = float64(l.labels[i]); w.Bounds {
				made[1] = l.bounds.until[i]
			}
		}
		w.add(l, buf, b.Sums)
	}
}

// add adds the block that has been assigned to the sums.
func (w assignment) add(l *lloyd, buf *buffer, sums []float64) {
	sums[len(sums)-2] += float64(len(l.sums.moves[0]))
	sums[len(sums)-1] += float64(l.comparedIn[0])
	corrections := partialSumsIn(sums, l.k, l.d)
	l.correct(&corrections, buf, l.sums.moves[0])
	corrections.store(sums)
	if w.Whole {
		sums = sums[l.k*(l.d+2):]
		whole := partialSumsIn(sums, l.k, l.d)
		l.addBlock(&whole, buf, 0)
		whole.store(sums)
	}
}

// assignStreamed makes the pass, and keeps its sums.
func (l *lloyd) assignStreamed(ctx context.Context) (changed int, err error) {
	t, until := &l.sums, l.bounds.until
	t.expected = t.recompute(t.changed, l.n)
	work := assignment{l.mean, l.centres, l.bounds.clock, l.panels.scale, until != nil, t.expected}
	sums, err := l.reduce(ctx, work, func(numbers []float64, i int) {
		l.label(numbers, i)
		if numbers[1] = l.w[i]; until != nil {
			numbers[2] = until[i]
		}
	}, func(made *mat.Dense, from int) {
		for i := range made.RawMatrix().Rows {
			row := made.RawRowView(i)
			if l.labels[from+i] = int32(row[0]); until != nil {
				until[from+i] = row[1]
			}
		}
	})
	if err != nil {
		return 0, err
	}
	t.changed = int(sums[len(sums)-2])
	l.compared += int(sums[len(sums)-1])
	t.corrections = partialSumsIn(sums, l.k, l.d)
	if t.expected {
		t.whole = partialSumsIn(sums[l.k*(l.d+2):], l.k, l.d)
	}
	return t.changed, nil
}
