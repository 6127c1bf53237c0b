package kmeans

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data/passes"
)

const (
	// maxSlabs is the largest number of partial sums of the rows of each cluster.
	maxSlabs = 16
	// Sums are corrected for the rows that changed their cluster
	//  - while these are fewer than n/movedPart;
	//  - while no more than n rows have moved since all were added up, so that rounding
	//    errors stay those of one sum;
	//  - and at most movedTimes times, as the slabs are added up each time.
	movedPart  = 4
	movedTimes = 64
)

// clusterSums are the sums of the rows of each cluster, Σ wᵢxᵢ and Σ wᵢ, and how many rows of
// positive weight it has. They are added up in slabs of blocks whose number depends on
// the size of the problem alone.
type clusterSums struct {
	partialSums
	parts     []partialSums // of the slabs: corrections, or of all rows
	moves     [][]move      // the rows of each block that changed their cluster last; of a file none are kept
	known     bool          // the sums are those before the moves
	corrected int           // how often since all rows were added up
	moved     int           // and for how many rows

	// Where rows are streamed, the pass that finds the moves also adds up the corrections,
	// and all rows, in whole, where they are expected to be needed.
	whole    []partialSums
	expected bool
	changed  []int // moves in every slab
}

// partialSums is a sum over some rows.
type partialSums struct {
	sum, mass []float64 // k×d, k
	rows      []int
}

// move is a row and the cluster it was in.
type move struct{ row, from int }

func newClusterSums(p *problem, k int) clusterSums {
	t := clusterSums{partialSums: newPartialSums(k, p.d), moves: make([][]move, passes.Blocks(p.n)), parts: newPartialSumsOf(p.slabs, k, p.d)}
	if p.streamed {
		t.whole, t.changed = newPartialSumsOf(p.slabs, k, p.d), make([]int, p.slabs)
	}
	return t
}

func newPartialSumsOf(count, k, d int) []partialSums {
	out := make([]partialSums, count)
	for s := range out {
		out[s] = newPartialSums(k, d)
	}
	return out
}

func newPartialSums(k, d int) partialSums {
	return partialSums{make([]float64, k*d), make([]float64, k), make([]int, k)}
}

func (t *partialSums) clear() {
	clear(t.sum)
	clear(t.mass)
	clear(t.rows)
}

// change adds a row with the weight w to a cluster, or takes it off, with −w.
func (t *partialSums) change(cluster int, row []float64, w float64) {
	floats.AddScaled(t.sum[cluster*len(row):(cluster+1)*len(row)], w, row)
	t.mass[cluster] += w
	switch {
	case w > 0:
		t.rows[cluster]++
	case w < 0:
		t.rows[cluster]--
	}
}

func (t *partialSums) add(s *partialSums) {
	floats.Add(t.sum, s.sum)
	floats.Add(t.mass, s.mass)
	for j, n := range s.rows {
		t.rows[j] += n
	}
}

// correct takes the rows of a block that moved from one cluster to the other.
func (l *lloyd) correct(part *partialSums, buf *buffer, moves []move) {
	row := buf.x[:l.d]
	for _, m := range moves {
		l.centred(row, buf.row(m.row))
		part.change(m.from, row, -l.w[m.row])
		part.change(int(l.labels[m.row]), row, l.w[m.row])
	}
}

// addBlock adds all rows of a block to their clusters.
func (l *lloyd) addBlock(part *partialSums, buf *buffer, b int) {
	row := buf.x[:l.d]
	for i, to := passes.BlockRange(l.n, b); i < to; i++ {
		part.change(int(l.labels[i]), l.centred(row, buf.row(i)), l.w[i])
	}
}

// beginPass begins a pass over a file that finds moves: all rows will be added up if as many move
// as did last.
func (t *clusterSums) beginPass(n int) {
	last := 0
	for _, c := range t.changed {
		last += c
	}
	t.expected = t.recompute(last, n)
	clear(t.changed)
	for s := range t.parts {
		t.parts[s].clear()
		t.whole[s].clear()
	}
}

// addChanged adds up a block of a file whose moves have been found.
func (l *lloyd) addChanged(buf *buffer, slab, b int) {
	t := &l.sums
	t.changed[slab] += len(t.moves[b])
	l.correct(&t.parts[slab], buf, t.moves[b])
	if t.expected {
		l.addBlock(&t.whole[slab], buf, b)
	}
	buf.moves, t.moves[b] = t.moves[b], nil
}

// recompute says whether all rows must be added up after so many moves, and not these alone.
func (t *clusterSums) recompute(moved, n int) bool {
	return !t.known || moved*movedPart > n || t.moved+moved > n || t.corrected+1 > movedTimes
}

// add brings the sums to the labels: by the rows that moved, or by all.
func (l *lloyd) add(ctx context.Context, moved int) error {
	t := &l.sums
	if t.known && moved == 0 {
		return nil
	}
	all := t.recompute(moved, l.n)
	t.moved += moved
	t.corrected++
	if all {
		t.partialSums.clear()
		t.moved, t.corrected = 0, 0
	}
	parts, err := l.partial(ctx, all)
	if err != nil {
		return err
	}
	for s := range parts {
		t.partialSums.add(&parts[s])
	}
	for j, n := range t.rows {
		if n == 0 { // but for rounding
			t.mass[j] = 0
			clear(t.sum[j*l.d : (j+1)*l.d])
		}
	}
	t.known = true
	return nil
}

// partial returns the sums of the slabs, over all rows or of the corrections; of a file they are
// there, unless it was not expected that all rows are wanted.
func (l *lloyd) partial(ctx context.Context, all bool) ([]partialSums, error) {
	t := &l.sums
	if l.streamed && (t.expected || !all) {
		if all {
			return t.whole, nil
		}
		return t.parts, nil
	}
	for s := range t.parts {
		t.parts[s].clear()
	}
	return t.parts, l.each(ctx, l.slabs, func(buf *buffer, s, b int) {
		if all {
			l.addBlock(&t.parts[s], buf, b)
		} else {
			l.correct(&t.parts[s], buf, t.moves[b])
		}
	})
}
