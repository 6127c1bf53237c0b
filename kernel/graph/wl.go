package graph

import (
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// WL is the Weisfeiler–Lehman subtree kernel
//
//	k(G, H) = Σ_{i=0}^{h} Σ_c n_c⁽ⁱ⁾(G) n_c⁽ⁱ⁾(H),
//
// where n_c⁽ⁱ⁾ counts the nodes of colour c in round i. The colours of round 0 are the
// labels; two nodes have the same colour in round i + 1 if they have the same colour in round i
// and so have their neighbours, counted with multiplicity. So a colour of round i stands for
// a tree of walks of i edges. Neighbours of a node are those that it has an edge to and, in a
// directed graph, apart from these, those that have an edge to it; with Edges, an edge's label
// belongs to the colour that is seen along it.
//
// It is positive definite as an inner product of counts (Shervashidze, Schweitzer, van
// Leeuwen, Mehlhorn and Borgwardt, Weisfeiler-Lehman graph kernels, JMLR 12, 2011).
type WL struct {
	Rounds    int    // h ≥ 0
	Attribute string // of the nodes, their label; see [Labels]
	Edges     string // attribute of the edges, their label; "" looks at no labels of edges
	Parallel  bool   // edges that join the same nodes count one by one; see [Base]
}

// Eval returns k(g, h) in h rounds over both graphs; 0 for graphs that Contains refuses.
func (k WL) Eval(g, h *graph.Graph) float64 {
	known := map[string]string{} // a colour's name by what it stands for
	return dot(k.counts(g, known), k.counts(h, known))
}

// counts counts the colours of all rounds, with names that the two graphs share.
func (k WL) counts(g *graph.Graph, known map[string]string) map[string]float64 {
	rounds, err := k.Colours(g, known)
	if err != nil {
		return nil
	}
	out := map[string]float64{}
	for _, colours := range rounds {
		for _, c := range colours {
			out[c]++
		}
	}
	return out
}

// Colours returns the colours of the nodes from round 0, their labels, to round h. known has a name
// for what each colour of the rounds from 1 on stands for, and is added to: graphs that share it
// have the same names for the same colours.
func (k WL) Colours(g *graph.Graph, known map[string]string) ([][]string, error) {
	colours, edges, err := k.labels(g)
	if err != nil {
		return nil, err
	}
	rounds := [][]string{colours}
	adj := k.neighbours(g, edges)
	for round := range k.Rounds {
		next := make([]string, len(colours))
		for v := range next {
			tree := colours[v]
			for _, a := range adj {
				var seen []string
				for i := a.Start[v]; i < a.Start[v+1]; i++ {
					seen = append(seen, fmt.Sprintf("%q %q", edges[a.Edge[i]], colours[a.Node[i]]))
				}
				slices.Sort(seen)
				tree = fmt.Sprintf("%q of %s", tree, strings.Join(seen, ", "))
			}
			if known[tree] == "" {
				known[tree] = fmt.Sprintf("colour %d of round %d", len(known), round+1)
			}
			next[v] = known[tree]
		}
		colours = next
		rounds = append(rounds, colours)
	}
	return rounds, nil
}

// labels returns those of the nodes and of the edges, which are all alike without Edges.
func (k WL) labels(g *graph.Graph) (nodes, edges []string, err error) {
	if k.Rounds < 0 {
		return nil, nil, fmt.Errorf("wl: h is %d; there are no less than 0 rounds", k.Rounds)
	}
	if nodes, err = Labels(g, k.Attribute); err != nil {
		return nil, nil, err
	}
	attribute := k.Edges
	if attribute == "" {
		attribute = NoLabel
	}
	edges, err = EdgeLabels(g, attribute)
	return nodes, edges, err
}

// neighbours lists those that every node has an edge to and, in a directed graph, those that have
// one to it. Parallel edges with the same label are one.
func (k WL) neighbours(g *graph.Graph, edges []string) []graph.Adjacency {
	adj := []graph.Adjacency{g.Adjacency(true)}
	if g.Directed {
		adj = append(adj, reversed(g))
	}
	for i := range adj {
		if !k.Parallel {
			adj[i] = adj[i].Merged(func(e int32) string { return edges[e] })
		}
	}
	return adj
}

// reversed is the adjacency of a directed graph against its edges.
func reversed(g *graph.Graph) graph.Adjacency {
	back := *g
	back.Edges = slices.Clone(g.Edges)
	for e, ends := range g.Edges {
		back.Edges[e] = graph.Edge{From: ends.To, To: ends.From}
	}
	return back.Adjacency(true)
}

// String returns the expression, such as wl(h=3).
func (k WL) String() string {
	return "wl" + arguments(fmt.Sprintf("h=%d", k.Rounds), k.Attribute, k.Edges, Base{Parallel: k.Parallel})
}

// Contains refuses graphs with nodes, or edges, that have no label.
func (k WL) Contains(g *graph.Graph) error {
	_, _, err := k.labels(g)
	return err
}

// Family binds by counts, with one numbering of the colours for all graphs.
func (k WL) Family() kernel.Family[*graph.Graph] { return family{} }

// count returns the numbers of the colours of all rounds. It takes O(h|E|) steps, each the
// sorting of a few neighbours or a look into the book.
func (k WL) count(g *graph.Graph, b *book) count.Row {
	nodes, edges, err := k.labels(g)
	if err != nil {
		return count.Row{}
	}
	adj := k.neighbours(g, edges)
	n := len(nodes)
	colours := make([]uint32, 0, n*(k.Rounds+1))
	colours = append(colours, b.labels(ofNode, nodes)...)
	var along []uint32
	if k.Edges != "" {
		along = b.labels(ofEdge, edges)
	}
	var seen []uint64
	for range k.Rounds {
		last := colours[len(colours)-n:]
		for v := range n {
			b.key = append(b.key[:0], ofTree)
			b.key = append32(b.key, last[v])
			for _, a := range adj {
				seen = seen[:0]
				for i := a.Start[v]; i < a.Start[v+1]; i++ {
					c := uint64(last[a.Node[i]])
					if along != nil {
						c |= uint64(along[a.Edge[i]]) << 32
					}
					seen = append(seen, c)
				}
				sortFew(seen)
				b.key = append32(b.key, uint32(len(seen)))
				for _, c := range seen {
					b.key = append32(b.key, uint32(c))
					if along != nil {
						b.key = append32(b.key, uint32(c>>32))
					}
				}
			}
			colours = append(colours, b.code())
		}
	}
	return count.Tally(colours)
}

func append32(b []byte, v uint32) []byte {
	return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}

// sortFew sorts; most nodes have a handful of neighbours.
func sortFew(list []uint64) {
	if len(list) > 12 {
		slices.Sort(list)
		return
	}
	for i := 1; i < len(list); i++ {
		for j := i; j > 0 && list[j] < list[j-1]; j-- {
			list[j], list[j-1] = list[j-1], list[j]
		}
	}
}

// Derive argues by the feature map.
func (k WL) Derive() kernel.Derivation {
	return definite(k, "an inner product of vectors of counts of colours (Shervashidze et al. 2011)")
}

// Reference describes the kernel.
func (k WL) Reference() kernel.Reference {
	return kernel.Reference{Name: "wl", Title: "Weisfeiler–Lehman subtree kernel", Formula: "Σ_{i≤h} Σ_c n_c⁽ⁱ⁾(G) n_c⁽ⁱ⁾(H), n_c⁽ⁱ⁾ = nodes of colour c after i rounds",
		Domain: "G, H: graphs; h ≥ 0", Source: "Shervashidze, Schweitzer, van Leeuwen, Mehlhorn and Borgwardt, Weisfeiler-Lehman graph kernels, JMLR 12 (2011)", SeeAlso: []string{"vertices", "walk"}}
}
