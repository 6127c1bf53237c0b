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
	// of all, and not too often: each correction adds a rounding error like that of the
	// sum itself.
	movedPart      = 4
	movedSumsTimes = 16
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

// change adds row i to a cluster, with sign 1, or takes it off, with −1.
func (t *tally) change(p *problem, i, cluster, sign int) {
	w := p.w[i]
	floats.AddScaled(t.sum[cluster*p.d:(cluster+1)*p.d], float64(sign)*w, p.row(i))
	t.mass[cluster] += float64(sign) * w
	if w > 0 {
		t.rows[cluster] += sign
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
	all := !t.known || t.corrected == movedSumsTimes || moved*movedPart > l.n
	switch {
	case all:
		t.clear()
		t.corrected = 0
	case moved == 0:
		return nil
	default:
		t.corrected++
	}
	count, slabs := blocks(l.n), len(t.parts)
	err := parallel.Each(ctx, l.workers, slabs, func(_, s int) {
		part := &t.parts[s]
		part.clear()
		for b := s * count / slabs; b < (s+1)*count/slabs; b++ {
			if all {
				for i, to := cut(l.n, b); i < to; i++ {
					part.change(l.problem, i, l.labels[i], 1)
				}
				continue
			}
			for _, m := range t.moves[b] {
				part.change(l.problem, m.row, m.from, -1)
				part.change(l.problem, m.row, l.labels[m.row], 1)
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
