package graph

import (
	"cmp"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel/count"
)

// counted is a number of walks that begin at a node and have the same sequence of labels.
type counted struct {
	sequence uint32
	times    uint64
}

const (
	// mostSequences bounds the table of walks of one graph: with more of them products of
	// pairs of graphs take less.
	mostSequences = 1 << 16
	// mostWalks bounds the walks of one graph, so that inner products are exact: below 2⁵².
	mostWalks = 1 << 26
)

// sequences returns φ(G) of [Walk], the numbers of walks with each sequence of labels, and
// false where there are too many. A walk that begins at v is v followed by a walk that
// begins at a neighbour: the tables of the neighbours are joined, and each sequence in them
// gets the label of v in front. Explicit maps pay for short walks and many labels (Kriege,
// Neumann, Morris, Kersting and Mutzel, A unifying view of explicit and implicit feature maps
// of graph kernels, Data Mining and Knowledge Discovery 33, 2019).
func (w Walk) sequences(g *graph.Graph, b *book) (count.Row, bool) {
	x := prepare(g, w.Attribute, b, w.Base)
	now, last := make([][]counted, len(x.labels)), make([][]counted, len(x.labels))
	for v, l := range x.labels {
		now[v] = []counted{{b.numbers(ofWalk, l), 1}}
	}
	for range w.Length {
		now, last = last, now
		stored, sum := 0, uint64(0)
		for v, l := range x.labels {
			list := now[v][:0]
			for _, u := range x.next[x.start[v]:x.start[v+1]] {
				list = append(list, last[u]...)
			}
			list = joined(list)
			for i := range list {
				list[i].sequence = b.numbers(ofWalk, l, list[i].sequence)
				sum += list[i].times
			}
			now[v], stored = list, stored+len(list)
		}
		if stored > mostSequences || sum > mostWalks {
			return count.Row{}, false
		}
	}
	all := joined(slices.Concat(now...))
	row := count.Row{Features: make([]uint32, len(all)), Times: make([]uint32, len(all))}
	for i, c := range all {
		row.Features[i], row.Times[i] = c.sequence, uint32(c.times)
	}
	return row, true
}

// joined adds up the numbers of equal sequences, in place.
func joined(list []counted) []counted {
	slices.SortFunc(list, func(a, b counted) int { return cmp.Compare(a.sequence, b.sequence) })
	out := list[:0]
	for _, c := range list {
		if n := len(out); n > 0 && out[n-1].sequence == c.sequence {
			out[n-1].times += c.times
			continue
		}
		out = append(out, c)
	}
	return out
}

// explicit binds by the features of all graphs, or returns nil where one has too many.
func (w Walk) explicit(rows, cols data.Set[*graph.Graph]) *count.Pairs {
	b := newBook()
	right, ok := w.all(cols, b)
	if !ok {
		return nil
	}
	if same(rows, cols) {
		return count.Bind(right, right)
	}
	left, ok := w.all(rows, b.next())
	if !ok {
		return nil
	}
	return count.Bind(left, right)
}

func (w Walk) all(xs data.Set[*graph.Graph], b *book) ([]count.Row, bool) {
	out := make([]count.Row, xs.Len())
	for i := range out {
		var ok bool
		if out[i], ok = w.sequences(xs.At(i), b); !ok {
			return nil, false
		}
	}
	return out, true
}
