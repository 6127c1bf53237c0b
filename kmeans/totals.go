package kmeans

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/parallel"
)

const (
	// maxSlabs is the largest number of partial sums of the rows of each cluster.
	maxSlabs = 16
	// Sums are corrected for the rows that changed their cluster while these are few, part
	// of all, while no more than all rows have moved, whose rounding errors are those of
	// the sum itself, and not too often, as the slabs are added up each time.
	movedPart  = 4
	movedTimes = 64
)

// totals are the sums of the rows of each cluster, Σ wᵢxᵢ and Σ wᵢ, and how many rows of
// positive weight it has. They are added up in slabs of blocks whose number depends on
// the size of the problem alone.
type totals struct {
	tally
	parts     []tally
	moves     [][]move // the rows of each block that changed their cluster last
	known     bool     // the sums are those before the moves
	corrected int      // how often since all rows were added up
	moved     int      // and for how many rows
}

// tally is a sum over some rows.
type tally struct {
	sum, mass []float64 // k×d, k
	rows      []int
}

// move is a row and the cluster it was in.
type move struct{ row, from int }

func newTotals(p *problem, k int) totals {
	slabs := max(1, min(maxSlabs, blocks(p.n), p.n/(2*k)))
	t := totals{tally: newTally(k, p.d), moves: make([][]move, blocks(p.n))}
	for range slabs {
		t.parts = append(t.parts, newTally(k, p.d))
	}
	return t
}

func newTally(k, d int) tally {
	return tally{make([]float64, k*d), make([]float64, k), make([]int, k)}
}

func (t *tally) clear() {
	clear(t.sum)
	clear(t.mass)
	clear(t.rows)
}

// change adds a row with the weight w to a cluster, or takes it off, with −w.
func (t *tally) change(cluster int, row []float64, w float64) {
	floats.AddScaled(t.sum[cluster*len(row):(cluster+1)*len(row)], w, row)
	t.mass[cluster] += w
	switch {
	case w > 0:
		t.rows[cluster]++
	case w < 0:
		t.rows[cluster]--
	}
}

func (t *tally) add(s *tally) {
	floats.Add(t.sum, s.sum)
	floats.Add(t.mass, s.mass)
	for j, n := range s.rows {
		t.rows[j] += n
	}
}

// add brings the sums to the labels: by the rows that moved, or by all.
func (l *lloyd) add(ctx context.Context) error {
	t, moved := &l.totals, 0
	for _, m := range t.moves {
		moved += len(m)
	}
	if t.known && moved == 0 {
		return nil
	}
	t.moved += moved
	t.corrected++
	all := !t.known || moved*movedPart > l.n || t.moved > l.n || t.corrected > movedTimes
	if all {
		t.tally.clear()
		t.moved, t.corrected = 0, 0
	}
	err := parallel.Each(ctx, l.workers, len(t.parts), func(worker, s int) {
		part, row := &t.parts[s], l.buffers[worker].x[:l.d]
		part.clear()
		for b, to := slab(l.n, s, len(t.parts)); b < to; b++ {
			if all {
				for i, to := cut(l.n, b); i < to; i++ {
					part.change(int(l.labels[i]), l.centred(row, i), l.w[i])
				}
				continue
			}
			for _, m := range t.moves[b] {
				l.centred(row, m.row)
				part.change(m.from, row, -l.w[m.row])
				part.change(int(l.labels[m.row]), row, l.w[m.row])
			}
		}
	})
	if err != nil {
		return err
	}
	for s := range t.parts {
		t.tally.add(&t.parts[s])
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
