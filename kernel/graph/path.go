package graph

import (
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// ShortestPath is the shortest-path kernel
//
//	k(G, H) = Σ_{u≠v ∈ G} Σ_{u′≠v′ ∈ H} [l(u) = l(u′)] [l(v) = l(v′)] [d(u, v) = d(u′, v′)]
//
// over ordered pairs of nodes that a path joins, with d the number of its edges; weights of
// edges are not looked at. It is an inner product of the counts of triples (l(u), l(v),
// d(u, v)), and so positive definite (Borgwardt and Kriegel, Shortest-path kernels on graphs,
// ICDM 2005, with the delta kernel on lengths and labels).
//
// With a base kernel on the attributes of the nodes a pair of pairs counts as much as their ends
// are alike, k(u, u′) k(v, v′).
type ShortestPath struct {
	Attribute string                   // of the nodes, their label; see [Labels]
	Node      kernel.Kernel[[]float64] // on the attributes of the nodes; nil: labels alone are compared
}

func (k ShortestPath) base() Base { return Base{Node: k.Node} }

// triple is a feature.
type triple struct {
	from, to string
	length   int
}

// Eval returns k(g, h) by the counts of triples, in O(|V|³) for each graph, and with attributes
// pair by pair, in O(|V₁|²|V₂|²); 0 for graphs that Contains refuses.
func (k ShortestPath) Eval(g, h *graph.Graph) float64 {
	if k.Node != nil {
		return (k.pairs(g, h) + k.pairs(h, g)) / 2 // rounding treats both orders alike
	}
	return dot(k.counts(g), k.counts(h))
}

// counts returns the feature map.
func (k ShortestPath) counts(g *graph.Graph) map[triple]float64 {
	labels, err := Labels(g, k.Attribute)
	if err != nil {
		return nil
	}
	out := map[triple]float64{}
	for u, row := range distances(g) {
		for v, length := range row {
			if u != v && length < g.Len() {
				out[triple{labels[u], labels[v], length}]++
			}
		}
	}
	return out
}

// distances returns the numbers of edges between all nodes by the algorithm of Floyd and Warshall;
// where there is no path, that of the nodes, which is longer than any.
func distances(g *graph.Graph) [][]int {
	n := g.Len()
	d := make([][]int, n)
	for u := range d {
		d[u] = make([]int, n)
		for v := range d[u] {
			d[u][v] = n
		}
	}
	for _, e := range g.Edges {
		d[e.From][e.To] = 1
		if !g.Directed {
			d[e.To][e.From] = 1
		}
	}
	for via := range d {
		for u := range d {
			for v := range d {
				d[u][v] = min(d[u][v], d[u][via]+d[via][v])
			}
		}
	}
	return d
}

// String returns the expression, such as sp.
func (k ShortestPath) String() string { return call("sp", k.Attribute, k.base()) }

// Contains refuses graphs with nodes that have no label, or no attributes for the base kernel.
func (k ShortestPath) Contains(g *graph.Graph) error {
	if _, err := Labels(g, k.Attribute); err != nil {
		return err
	}
	return k.base().domain(g, k.Attribute)
}

// Outside is Contains for a set, whose graphs must have the same attributes.
func (k ShortestPath) Outside(xs data.Set[*graph.Graph]) (row int, err error) {
	return k.base().outside(xs, k.Attribute, k.Contains)
}

// CompatibleWith finds a graph with other attributes than like; see [kernel.CheckCompatible].
func (k ShortestPath) CompatibleWith(xs data.Set[*graph.Graph], like *graph.Graph) (row int, err error) {
	return k.base().agree(xs, like, k.Attribute)
}

// Family binds by counts, where labels alone are compared.
func (k ShortestPath) Family() kernel.Family[*graph.Graph] {
	if k.Node != nil {
		return nil
	}
	return family{}
}

// mostCells bounds the table in which the triples of one graph are counted.
const mostCells = 1 << 16

// count finds the distances from each node by a search in breadth, and counts triples in a
// table over the labels of the graph before it asks for their numbers.
func (k ShortestPath) count(g *graph.Graph, b *book) count.Row {
	texts, err := Labels(g, k.Attribute)
	if err != nil {
		return count.Row{}
	}
	labels, names := local(b.labels(ofNode, texts))
	n, m, adj := len(labels), len(names), g.Adjacency(true)
	deep := max(1, min(n, mostCells/(m*m+1))) // lengths below it are counted in the table
	table := make([]uint32, m*m*deep)
	long := map[[3]uint32]uint32{}
	distance, queue := make([]int32, n), make([]int32, 0, n)
	for u := range n {
		for v := range distance {
			distance[v] = -1
		}
		distance[u] = 0
		queue = append(queue[:0], int32(u))
		for head := 0; head < len(queue); head++ {
			v := queue[head]
			if d := distance[v]; d > 0 {
				if at := int(d)*m*m + int(labels[u])*m + int(labels[v]); at < len(table) {
					table[at]++
				} else {
					long[[3]uint32{labels[u], labels[v], uint32(d)}]++
				}
			}
			for _, w := range adj.Node[adj.Start[v]:adj.Start[v+1]] {
				if distance[w] < 0 {
					distance[w] = distance[v] + 1
					queue = append(queue, w)
				}
			}
		}
	}
	var features, times []uint32
	for at, c := range table {
		if c > 0 {
			features = append(features, b.numbers(ofPath, names[at/m%m], names[at%m], uint32(at/(m*m))))
			times = append(times, c)
		}
	}
	for t, c := range long {
		features, times = append(features, b.numbers(ofPath, names[t[0]], names[t[1]], t[2])), append(times, c)
	}
	return count.Weighted(features, times)
}

// local renumbers the labels of one graph from 0, and returns their names by that number.
func local(labels []uint32) (numbers, names []uint32) {
	numbers = make([]uint32, len(labels))
	at := map[uint32]uint32{}
	for v, l := range labels {
		i, ok := at[l]
		if !ok {
			i = uint32(len(names))
			at[l] = i
			names = append(names, l)
		}
		numbers[v] = i
	}
	return numbers, names
}

// Derive argues by the feature map.
func (k ShortestPath) Derive() kernel.Derivation {
	if k.Node != nil {
		return k.base().derive(k.String(), "a sum over pairs of pairs of nodes at the same distance of products of base kernels, a convolution kernel (Haussler 1999; Borgwardt and Kriegel 2005)")
	}
	return definite(k, "an inner product of vectors of counts of pairs of labels at a distance (Borgwardt and Kriegel 2005)")
}

// Reference describes the kernel.
func (k ShortestPath) Reference() kernel.Reference {
	return kernel.Reference{Name: "sp", Title: "shortest-path kernel", Formula: "Σ_t n_t(G) n_t(H), n_t(G) = ordered pairs of nodes with the labels and the distance of t",
		Domain: "G, H: graphs", Source: "Borgwardt and Kriegel, Shortest-path kernels on graphs, ICDM 2005", SeeAlso: []string{"wl"}}
}
