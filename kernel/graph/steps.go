package graph

import (
	"cmp"
	"slices"
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
)

// walked is a graph prepared for walks in products: its nodes in the order of their labels,
// so that the nodes with a label are neighbours.
type walked struct {
	labels []uint32 // ascending
	order  []int32  // the nodes in the graph
	start  []int    // the edges of node v lead to next[start[v]:start[v+1]]
	next   []int32
	edge   []int32 // by which edge of the graph
}

// prepare numbers the labels by b. A graph that has none is empty.
func prepare(g *graph.Graph, attribute string, b *book, of Base) *walked {
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
	adj, x := of.steps(g), &walked{order: order, start: make([]int, 1, len(order)+1)}
	for _, v := range order {
		x.labels = append(x.labels, labels[v])
		x.edge = append(x.edge, adj.Edge[adj.Start[v]:adj.Start[v+1]]...)
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
//
// A step from (v, w) to (v′, w′) along the edges e and f weighs k(v, w) k(e, f) k(v′, w′). With the
// matrix N of the base kernel on nodes it is N∘(A₁(N∘M)A₂ᵀ): N∘M is what is kept. The base kernel
// on edges has no such form, and all pairs of edges are visited.
type steps struct {
	g, h     *walked
	node     kernel.Tile // k(v, w), |V₁|×|V₂| in the order of the labels; Data is nil for 1 everywhere
	edge     kernel.Tile // k(e, f), |E₁|×|E₂|; Data is nil for 1 everywhere
	from, to []int       // the nodes of h with the label of each node of g
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
			if s.node.Data != nil {
				s.now[v*m+w] = s.node.Row(v)[w]
			}
		}
	}
	return float64(count)
}

// step makes walks one edge longer, multiplies them by factor, and returns their sum.
func (s *steps) step(factor float64) float64 {
	m, sum := len(s.h.labels), 0.0
	s.now, s.last = s.last, s.now
	for v := range s.g.labels {
		from, to := s.from[v], s.to[v]
		if from == to {
			continue
		}
		now := s.now[v*m : (v+1)*m]
		if s.edge.Data == nil {
			s.along(v, now)
		} else {
			s.alongPairs(v, now)
		}
		for w := from; w < to; w++ {
			now[w] *= factor
			if s.node.Data == nil {
				sum += now[w]
				continue
			}
			k := s.node.Row(v)[w]
			sum += k * now[w]
			now[w] *= k * k // of this step, and of the next
		}
	}
	return sum
}

// along stores for each node w with the label of v the sum over the pairs of a neighbour of v
// and a neighbour of w.
func (s *steps) along(v int, now []float64) {
	m, row := len(now), s.row
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
		now[w] = x
	}
}

// alongPairs is along where edges are compared, too.
func (s *steps) alongPairs(v int, now []float64) {
	m := len(now)
	for w := s.from[v]; w < s.to[v]; w++ {
		x := 0.0
		for a := s.g.start[v]; a < s.g.start[v+1]; a++ {
			u, like := int(s.g.next[a]), s.edge.Row(int(s.g.edge[a]))
			from, to, last := s.from[u], s.to[u], s.last[u*m:(u+1)*m]
			for b := s.h.start[w]; b < s.h.start[w+1]; b++ {
				if t := int(s.h.next[b]); from <= t && t < to {
					x += like[s.h.edge[b]] * last[t]
				}
			}
		}
		now[w] = x
	}
}

// walkPairs compares graphs by walks in their products.
type walkPairs struct {
	rows, cols   *walkedSet
	nodes, edges kernel.Pairs // the base kernels on the attributes; nil: 1 everywhere
	value        func(s *steps, row, col int) float64
	scratch      sync.Pool
}

// newWalkPairs prepares both sets; the caller adds value.
func newWalkPairs(rows, cols data.Set[*graph.Graph], attribute string, of Base) *walkPairs {
	b := newBook()
	p := &walkPairs{cols: prepareAll(cols, attribute, b, of, nil)}
	if p.rows = p.cols; !same(rows, cols) {
		p.rows = prepareAll(rows, attribute, b, of, p.cols)
	}
	p.nodes, p.edges = bindAttributes(of.Node, p.rows.nodes, p.cols.nodes), bindAttributes(of.Edge, p.rows.edges, p.cols.edges)
	return p
}

// Dims returns the numbers of graphs.
func (p *walkPairs) Dims() (rows, cols int) { return len(p.rows.graphs), len(p.cols.graphs) }

// Tile compares pair by pair.
func (p *walkPairs) Tile(dst kernel.Tile, row, col int) {
	s, _ := p.scratch.Get().(*steps)
	if s == nil {
		s = new(steps)
	}
	defer p.scratch.Put(s)
	for i := range dst.Rows {
		for j := range dst.Row(i) {
			blockOf(&s.node, p.nodes, p.rows.nodes, p.cols.nodes, row+i, col+j)
			blockOf(&s.edge, p.edges, p.rows.edges, p.cols.edges, row+i, col+j)
			dst.Row(i)[j] = p.value(s, row+i, col+j)
		}
	}
}
