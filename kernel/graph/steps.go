package graph

import (
	"cmp"
	"slices"
	"sync"

	"mercer/data"
	"mercer/data/graph"
	"mercer/kernel"
)

// walked is a graph prepared for walks in products: its nodes in the order of their labels,
// so that the nodes with a label are neighbours.
type walked struct {
	labels []uint32 // ascending
	start  []int    // the edges of node v lead to next[start[v]:start[v+1]]
	next   []int32
}

// prepare numbers the labels by b. A graph that has none is empty.
func prepare(g *graph.Graph, attribute string, b *book) *walked {
	texts, err := Labels(g, attribute)
	if err != nil {
		return &walked{start: []int{0}}
	}
	labels := b.labels(ofNode, texts)
	order := make([]int32, len(labels))
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortStableFunc(order, func(v, w int32) int { return cmp.Compare(labels[v], labels[w]) })
	place := make([]int32, len(order))
	for to, from := range order {
		place[from] = int32(to)
	}
	adj, x := g.Adjacency(true), &walked{start: make([]int, 1, len(order)+1)}
	for _, v := range order {
		x.labels = append(x.labels, labels[v])
		for _, w := range adj.Node[adj.Start[v]:adj.Start[v+1]] {
			x.next = append(x.next, place[w])
		}
		x.start = append(x.start, len(x.next))
	}
	return x
}

// group returns where the nodes with a label begin and end.
func (x *walked) group(label uint32) (from, to int) {
	from, _ = slices.BinarySearch(x.labels, label)
	for to = from; to < len(x.labels) && x.labels[to] == label; to++ {
	}
	return from, to
}

// steps counts walks in the product of two graphs without forming it: the matrix M with
// M[v][w] = the weight of the walks of the present length that begin at (v, w). It is zero
// where the labels differ, and one step more is A₁MA₂ᵀ at the pairs with equal labels: the
// edges of one graph first, then those of the other, in O(|E₁||V₂| + |V₁||E₂|) and less
// with more labels, in place of the O(|E₁||E₂|) edges of the product.
type steps struct {
	g, h     *walked
	from, to []int // the nodes of h with the label of each node of g
	now      []float64
	last     []float64
	row      []float64
}

// begin prepares walks without edges and returns their number.
func (s *steps) begin(g, h *walked) float64 {
	n, m := len(g.labels), len(h.labels)
	s.g, s.h = g, h
	s.from, s.to = slices.Grow(s.from[:0], n)[:n], slices.Grow(s.to[:0], n)[:n]
	s.now, s.last = slices.Grow(s.now[:0], n*m)[:n*m], slices.Grow(s.last[:0], n*m)[:n*m]
	s.row = slices.Grow(s.row[:0], m)[:m]
	count := 0
	for v, l := range g.labels {
		if v > 0 && l == g.labels[v-1] {
			s.from[v], s.to[v] = s.from[v-1], s.to[v-1]
		} else {
			s.from[v], s.to[v] = h.group(l)
		}
		count += s.to[v] - s.from[v]
		for w := s.from[v]; w < s.to[v]; w++ {
			s.now[v*m+w] = 1
		}
	}
	return float64(count)
}

// step makes walks one edge longer, multiplies them by factor, and returns their sum.
func (s *steps) step(factor float64) float64 {
	m, sum := len(s.h.labels), 0.0
	s.now, s.last = s.last, s.now
	for v := range s.g.labels {
		if s.from[v] == s.to[v] {
			continue
		}
		row := s.row
		clear(row)
		for _, u := range s.g.next[s.g.start[v]:s.g.start[v+1]] {
			from, to := s.from[u], s.to[u]
			dst := row[from:to]
			for j, x := range s.last[int(u)*m+from : int(u)*m+to] {
				dst[j] += x
			}
		}
		for w := s.from[v]; w < s.to[v]; w++ {
			x := 0.0
			for _, u := range s.h.next[s.h.start[w]:s.h.start[w+1]] {
				x += row[u]
			}
			x *= factor
			s.now[v*m+w] = x
			sum += x
		}
	}
	return sum
}

// walkPairs compares graphs by walks in their products.
type walkPairs struct {
	rows, cols []*walked
	value      func(s *steps, row, col int) float64
	scratch    sync.Pool
}

func prepareAll(xs data.Set[*graph.Graph], attribute string, b *book) []*walked {
	out := make([]*walked, xs.Len())
	for i := range out {
		out[i] = prepare(xs.At(i), attribute, b)
	}
	return out
}

// Dims returns the numbers of graphs.
func (p *walkPairs) Dims() (rows, cols int) { return len(p.rows), len(p.cols) }

// Tile compares pair by pair.
func (p *walkPairs) Tile(dst kernel.Tile, row, col int) {
	s, _ := p.scratch.Get().(*steps)
	if s == nil {
		s = new(steps)
	}
	defer p.scratch.Put(s)
	for i := range dst.Rows {
		for j := range dst.Row(i) {
			dst.Row(i)[j] = p.value(s, row+i, col+j)
		}
	}
}
