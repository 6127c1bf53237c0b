package kmeans

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/pass"
)

const (
	// maxSlabs is the largest number of partial sums of the rows of each cluster where there are
	// not very many rows, slabBytes bounds the memory of more.
	maxSlabs, slabBytes = 16, 64 << 20
	// Sums are corrected for the rows that changed their cluster
	//  - while these are fewer than n/movedPart;
	//  - while no more than n rows have moved since all were added up, so that rounding
	//    errors stay those of one sum;
	//  - and at most movedTimes times, as the slabs are added up each time.
	movedPart  = 4
	movedTimes = 64
)

// slabsFor returns the number of slabs.
func slabsFor(n, k, d int) int {
	many := min(pass.Many(n), slabBytes/(8*k*d))
	return max(1, min(max(maxSlabs, many), pass.Blocks(n), n/(2*k)))
}

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
	corrections, whole partialSums
	expected           bool
	changed            int // rows that moved in that pass
}

// partialSums is a sum over some rows.
type partialSums struct {
	sum, mass []float64 // k×d, k
	rows      []int
}

// move is a row and the cluster it was in.
type move struct{ row, from int }

func newClusterSums(p *problem, k int) clusterSums {
	t := clusterSums{partialSums: newPartialSums(k, p.d)}
	if p.streamed {
		return t
	}
	t.moves, t.parts = make([][]move, pass.Blocks(p.n)), make([]partialSums, p.slabs)
	for s := range t.parts {
		t.parts[s] = newPartialSums(k, p.d)
	}
	return t
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
	for i, to := pass.BlockRange(l.n, b); i < to; i++ {
		part.change(int(l.labels[i]), l.centred(row, buf.row(i)), l.w[i])
	}
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
	found, err := l.partial(ctx, all)
	if err != nil {
		return err
	}
	t.partialSums.add(found)
	for j, n := range t.rows {
		if n == 0 { // but for rounding
			t.mass[j] = 0
			clear(t.sum[j*l.d : (j+1)*l.d])
		}
	}
	t.known = true
	return nil
}

// partial returns the sums over all rows or of the corrections; of a file they are there, unless it
// was not expected that all rows are wanted.
func (l *lloyd) partial(ctx context.Context, all bool) (*partialSums, error) {
	t := &l.sums
	switch {
	case l.streamed && all && !t.expected:
		sums, err := l.reduce(ctx, totals{l.mean, l.k}, func(numbers []float64, i int) {
			l.label(numbers, i)
			numbers[1] = l.w[i]
		}, nil)
		if err == nil {
			t.whole = partialSumsIn(sums, l.k, l.d)
		}
		return &t.whole, err
	case l.streamed && all:
		return &t.whole, nil
	case l.streamed:
		return &t.corrections, nil
	}
	for s := range t.parts {
		t.parts[s].clear()
	}
	err := l.each(ctx, l.slabs, func(buf *buffer, s, b int) {
		if all {
			l.addBlock(&t.parts[s], buf, b)
		} else {
			l.correct(&t.parts[s], buf, t.moves[b])
		}
	})
	for s := range t.parts[1:] {
		t.parts[0].add(&t.parts[1+s])
	}
	return &t.parts[0], err
}
