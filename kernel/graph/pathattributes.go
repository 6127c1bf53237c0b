package graph

import (
	"slices"
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// pairs is the definition of the kernel with attributes.
func (k ShortestPath) pairs(g, h *graph.Graph) float64 {
	left, right := k.endpoints(g), k.endpoints(h)
	if left == nil || right == nil || !slices.Equal(left.names, right.names) {
		return 0
	}
	ends := func(u, v int) float64 {
		if left.labels[u] != right.labels[v] {
			return 0
		}
		return k.Node.Eval(left.rows.At(u), right.rows.At(v))
	}
	sum, there := 0.0, distances(h)
	for u, row := range distances(g) {
		for v, length := range row {
			for x := range there {
				for y, other := range there[x] {
					if u != v && x != y && length == other && length < g.Len() && other < h.Len() {
						sum += ends(u, x) * ends(v, y)
					}
				}
			}
		}
	}
	return sum
}

// endpoints are the nodes of a graph with what is compared of them.
type endpoints struct {
	described
	labels []string
}

// endpoints returns nil for graphs that Contains refuses.
func (k ShortestPath) endpoints(g *graph.Graph) *endpoints {
	labels, err := Labels(g, k.Attribute)
	if err != nil {
		return nil
	}
	d, err := k.base().nodes(g, k.Attribute)
	if err != nil {
		return nil
	}
	return &endpoints{d, labels}
}

// Bind counts triples, or with a base kernel prepares the distances of all graphs.
func (k ShortestPath) Bind(rows, cols data.Set[*graph.Graph]) kernel.Pairs {
	if k.Node == nil {
		return family{}.Bind(k, rows, cols)
	}
	p := &pathPairs{walks: newWalkPairs(rows, cols, k.Attribute, k.base())}
	p.cols = allJoins(p.walks.cols)
	if p.rows = p.cols; p.walks.rows != p.walks.cols {
		p.rows = allJoins(p.walks.rows)
	}
	return p
}

// join is a pair of nodes with the number of edges between them.
type join struct {
	from, to int32
	length   int32
}

// joins lists all pairs of different nodes that a path joins, by length and then by their first
// node.
func (x *walked) joins() []join {
	var out []join
	n := len(x.labels)
	distance, queue := make([]int32, n), make([]int32, 0, n)
	for u := range int32(n) {
		for v := range distance {
			distance[v] = -1
		}
		distance[u] = 0
		queue = append(queue[:0], u)
		for head := 0; head < len(queue); head++ {
			v := queue[head]
			if v != u {
				out = append(out, join{u, v, distance[v]})
			}
			for _, w := range x.next[x.start[v]:x.start[v+1]] {
				if distance[w] < 0 {
					distance[w] = distance[v] + 1
					queue = append(queue, w)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b join) int { return int(a.length - b.length) })
	return out
}

func allJoins(s *walkedSet) [][]join {
	out := make([][]join, len(s.graphs))
	for i, x := range s.graphs {
		out[i] = x.joins()
	}
	return out
}

// pathPairs compares graphs by their shortest paths. With the matrix N of the base kernel between
// the nodes, zero where labels differ, and D_l, D′_l the matrices that have a one where the
// distance is l, the kernel is
//
//	Σ_l Σ_{u,v} D_l[u][v] (N D′_l Nᵀ)[u][v].
//
// P = N D′_l takes |V₁| steps for each pair of nodes of the second graph, and an element of PNᵀ, at
// each pair of the first, |V₂|: O(|V₁||V₂|(|V₁| + |V₂|)) in place of the O(|V₁|²|V₂|²) of the
// definition.
type pathPairs struct {
	walks      *walkPairs
	rows, cols [][]join
	scratch    sync.Pool
}

// pathTile is the room that a tile takes.
type pathTile struct {
	node    kernel.Tile
	flipped []float64 // Nᵀ
	mapped  []float64 // Pᵀ
	turned  []float64 // P
}

// Dims returns the numbers of graphs.
func (p *pathPairs) Dims() (rows, cols int) { return p.walks.Dims() }

// Tile compares pair by pair.
func (p *pathPairs) Tile(dst kernel.Tile, row, col int) {
	s, _ := p.scratch.Get().(*pathTile)
	if s == nil {
		s = new(pathTile)
	}
	defer p.scratch.Put(s)
	for i := range dst.Rows {
		for j := range dst.Row(i) {
			dst.Row(i)[j] = p.value(s, row+i, col+j)
		}
	}
}

// value compares two graphs.
func (p *pathPairs) value(s *pathTile, row, col int) float64 {
	g, h := p.walks.rows.graphs[row], p.walks.cols.graphs[col]
	n, m := len(g.labels), len(h.labels)
	if n == 0 || m == 0 {
		return 0
	}
	blockOf(&s.node, p.walks.nodes, p.walks.rows.nodes, p.walks.cols.nodes, row, col)
	for _, room := range []*[]float64{&s.flipped, &s.mapped, &s.turned} {
		*room = slices.Grow((*room)[:0], n*m)[:n*m]
	}
	for u := range n {
		for x, v := range s.node.Row(u) {
			if g.labels[u] != h.labels[x] {
				v = 0
				s.node.Row(u)[x] = 0
			}
			s.flipped[x*n+u] = v
		}
	}
	sum := 0.0
	left, right := p.rows[row], p.cols[col]
	for len(left) > 0 && len(right) > 0 {
		switch a, b := left[0].length, right[0].length; {
		case a < b:
			_, left = cut(left)
		case b < a:
			_, right = cut(right)
		default:
			var mine, theirs []join
			mine, left = cut(left)
			theirs, right = cut(right)
			sum += s.same(mine, theirs, n, m)
		}
	}
	return sum
}

// cut returns the joins of the first length, and the rest.
func cut(list []join) (first, rest []join) {
	n := 1
	for n < len(list) && list[n].length == list[0].length {
		n++
	}
	return list[:n], list[n:]
}

// same adds up k(u, u′) k(v, v′) over the joins of one length. Columns of P are sums of columns of
// N, and are made where they are rows; then P is turned, so that an element of PNᵀ is a product of
// two rows.
func (s *pathTile) same(left, right []join, n, m int) float64 {
	clear(s.mapped)
	for _, b := range right {
		from, to := s.flipped[int(b.from)*n:int(b.from+1)*n], s.mapped[int(b.to)*n:int(b.to+1)*n]
		for u, v := range from {
			to[u] += v
		}
	}
	for y := range m {
		for u, v := range s.mapped[y*n : (y+1)*n] {
			s.turned[u*m+y] = v
		}
	}
	sum := 0.0
	for _, a := range left {
		sum += count.Inner(s.turned[int(a.from)*m:int(a.from+1)*m], s.node.Row(int(a.to)))
	}
	return sum
}
