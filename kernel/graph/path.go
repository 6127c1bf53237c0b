package graph

import (
	"mercer/data/graph"
	"mercer/kernel"
	"mercer/kernel/count"
)

// ShortestPath is the shortest-path kernel
//
//	k(G, H) = Σ_{u≠v ∈ G} Σ_{u′≠v′ ∈ H} [l(u) = l(u′)] [l(v) = l(v′)] [d(u, v) = d(u′, v′)]
//
// over ordered pairs of nodes that a path joins, with d the number of its edges; weights of
// edges are not looked at. It is an inner product of the counts of triples (l(u), l(v),
// d(u, v)), and so positive definite (Borgwardt and Kriegel, Shortest-path kernels on graphs,
// ICDM 2005, with the delta kernel on lengths and labels).
type ShortestPath struct {
	Attribute string // of the nodes, their label; see [Labels]
}

// triple is a feature.
type triple struct {
	from, to string
	length   int
}

// Eval returns k(g, h) by the counts of triples, in O(|V||E|) for each graph; 0 for graphs
// that Contains refuses.
func (k ShortestPath) Eval(g, h *graph.Graph) float64 { return dot(k.counts(g), k.counts(h)) }

// counts returns the feature map by the algorithm of Floyd and Warshall.
func (k ShortestPath) counts(g *graph.Graph) map[triple]float64 {
	labels, err := Labels(g, k.Attribute)
	if err != nil {
		return nil
	}
	n := len(labels)
	d := make([][]int, n)
	for u := range d {
		d[u] = make([]int, n)
		for v := range d[u] {
			d[u][v] = n // longer than any path
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
	out := map[triple]float64{}
	for u := range d {
		for v, length := range d[u] {
			if u != v && length < n {
				out[triple{labels[u], labels[v], length}]++
			}
		}
	}
	return out
}

// String returns the expression, such as sp.
func (k ShortestPath) String() string { return call("sp", "", k.Attribute, "") }

// Contains refuses graphs with nodes that have no label.
func (k ShortestPath) Contains(g *graph.Graph) error {
	_, err := Labels(g, k.Attribute)
	return err
}

// Family binds by counts.
func (k ShortestPath) Family() kernel.Family[*graph.Graph] { return family{} }

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
	return definite(k, "an inner product of vectors of counts of pairs of labels at a distance (Borgwardt and Kriegel 2005)")
}

// Card describes the kernel.
func (k ShortestPath) Card() kernel.Card {
	return kernel.Card{Name: "sp", Title: "shortest-path kernel", Formula: "Σ_t n_t(G) n_t(H), n_t(G) = ordered pairs of nodes with the labels and the distance of t",
		Domain: "G, H: graphs", Source: "Borgwardt and Kriegel, Shortest-path kernels on graphs, ICDM 2005", SeeAlso: []string{"wl"}}
}
