package graph

import (
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
)

// walkedSet is a set of graphs prepared for walks, with the attributes of their nodes, in the
// order of their labels, and of their edges.
type walkedSet struct {
	graphs       []*walked
	nodes, edges *attributes
}

// attributes are those of the nodes, or edges, of many graphs one after the other: those of graph i
// are start[i] ≤ r < start[i+1].
type attributes struct {
	names []string // those of the first graph that has any; all others must have the same
	start []int
	all   data.Slice[[]float64]
	rows  data.Set[[]float64]
}

// prepareAll prepares a set of graphs. One that is outside of the domain, or has other attributes
// than those of known, is empty.
func prepareAll(xs data.Set[*graph.Graph], attribute string, b *book, of Base, known *walkedSet) *walkedSet {
	s := &walkedSet{nodes: &attributes{start: []int{0}}, edges: &attributes{start: []int{0}}}
	if known != nil {
		s.nodes.names, s.edges.names = known.nodes.names, known.edges.names
	}
	for i := range xs.Len() {
		g := xs.At(i)
		x := prepare(g, attribute, b, of)
		nodes, noNodes := of.nodes(g, attribute)
		edges, noEdges := of.edges(g)
		if noNodes != nil || noEdges != nil || !s.nodes.fit(nodes) || !s.edges.fit(edges) {
			x, nodes, edges = &walked{start: []int{0}}, described{}, described{}
		}
		s.graphs = append(s.graphs, x)
		s.nodes.add(nodes, func(at int) int { return int(x.order[at]) }, len(x.order))
		s.edges.add(edges, func(at int) int { return at }, edges.rows.Len())
	}
	s.nodes.pack()
	s.edges.pack()
	return s
}

// fit reports whether attributes can be compared with those before.
func (a *attributes) fit(d described) bool {
	return d.names == nil || a.names == nil || slices.Equal(d.names, a.names)
}

// add appends the attributes of a graph in an order.
func (a *attributes) add(d described, order func(at int) int, n int) {
	if d.names != nil {
		a.names = d.names
		for at := range n {
			a.all = append(a.all, d.rows.At(order(at)))
		}
	}
	a.start = append(a.start, len(a.all))
}

func (a *attributes) pack() {
	packed, err := data.Pack(a.all)
	if a.rows = packed; err != nil { // never: all have the same names
		a.rows = a.all
	}
	a.all = nil
}

// count returns the number of attribute vectors of graph i.
func (a *attributes) count(i int) int { return a.start[i+1] - a.start[i] }

// bindAttributes binds a base kernel to the attributes of two sets; nil where there is nothing to
// compare.
func bindAttributes(of kernel.Kernel[[]float64], rows, cols *attributes) kernel.Pairs {
	if of == nil || rows.rows.Len() == 0 || cols.rows.Len() == 0 {
		return nil
	}
	return kernel.Bind(of, rows.rows, cols.rows)
}

// blockOf computes the values between graph i of the rows and graph j of the columns, in the
// memory of dst.
func blockOf(dst *kernel.Tile, of kernel.Pairs, rows, cols *attributes, i, j int) {
	if of == nil {
		return
	}
	n, m := rows.count(i), cols.count(j)
	dst.Rows, dst.Cols, dst.Stride = n, m, m
	dst.Data = slices.Grow(dst.Data[:0], n*m+1)[:n*m]
	if n > 0 && m > 0 {
		of.Tile(*dst, rows.start[i], cols.start[j])
	}
}
