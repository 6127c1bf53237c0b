package graph

import (
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// Graphlets is the graphlet kernel
//
//	k(G, H) = Σ_i n_i(G) n_i(H),   n_i(G) = the number of sets of Size nodes of G whose
//	                               induced subgraph is the graphlet i,
//
// over the 4 graphs with 3 nodes or the 11 graphs with 4 nodes, connected or not. Labels,
// directions, self loops and parallel edges are not looked at. It is positive definite as an
// inner product of counts (Shervashidze, Vishwanathan, Petri, Mehlhorn and Borgwardt,
// Efficient graphlet kernels for large graph comparison, AISTATS 2009). The counts are exact.
type Graphlets struct {
	Size int // 3 or 4; 0 means 3
}

// The places of the graphlets in the feature map: without edges first.
const (
	empty3 = iota
	edge3
	path3
	triangle3
	kinds3
)

const (
	empty4    = iota
	edge4     // one edge, two nodes apart
	pair4     // two edges apart
	wedge4    // a path of three nodes, one node apart
	triangle4 // and one node apart
	star4
	path4
	paw4 // a triangle with a tail
	cycle4
	diamond4 // all edges but one
	clique4
	kinds4
)

func (k Graphlets) size() int {
	if k.Size == 0 {
		return 3
	}
	return k.Size
}

// Eval returns k(g, h) by looking at every set of nodes: O(|V|³) or O(|V|⁴).
func (k Graphlets) Eval(g, h *graph.Graph) float64 {
	if k.Contains(g) != nil {
		return 0
	}
	return count.Inner(k.enumerate(g), k.enumerate(h))
}

// enumerate counts by definition.
func (k Graphlets) enumerate(g *graph.Graph) []float64 {
	near := neighbours(g)
	out := make([]float64, k.dims())
	if k.size() == 3 {
		each3(len(near), func(a, b, c int) {
			out[near.among(a, b, c)]++ // the number of edges tells these graphlets apart
		})
		return out
	}
	each3(len(near), func(a, b, c int) {
		for d := c + 1; d < len(near); d++ {
			out[near.kind4(a, b, c, d)]++
		}
	})
	return out
}

func each3(n int, visit func(a, b, c int)) {
	for a := range n {
		for b := a + 1; b < n; b++ {
			for c := b + 1; c < n; c++ {
				visit(a, b, c)
			}
		}
	}
}

// simple holds the neighbours of every node, without loops and repetitions.
type simple []map[int]bool

func neighbours(g *graph.Graph) simple {
	near := make(simple, g.Len())
	for v := range near {
		near[v] = map[int]bool{}
	}
	for _, e := range g.Edges {
		if e.From != e.To {
			near[e.From][int(e.To)], near[e.To][int(e.From)] = true, true
		}
	}
	return near
}

// among counts the edges among some nodes.
func (near simple) among(nodes ...int) int {
	edges := 0
	for i, v := range nodes {
		for _, w := range nodes[:i] {
			if near[v][w] {
				edges++
			}
		}
	}
	return edges
}

// kind4 names the subgraph of four nodes by its number of edges and its largest degree.
func (near simple) kind4(nodes ...int) int {
	edges, largest := near.among(nodes...), 0
	for _, v := range nodes {
		degree := 0
		for _, w := range nodes {
			if near[v][w] {
				degree++
			}
		}
		largest = max(largest, degree)
	}
	least := [7]int{empty4, edge4, pair4, triangle4, cycle4, diamond4, clique4}[edges]
	switch {
	case edges == 2 && largest == 2:
		return wedge4
	case edges == 3 && largest == 3:
		return star4
	case edges == 3 && !near.triangle(nodes):
		return path4
	case edges == 4 && largest == 3:
		return paw4
	}
	return least
}

func (near simple) triangle(nodes []int) bool {
	for i := range nodes {
		rest := append(append([]int{}, nodes[:i]...), nodes[i+1:]...)
		if near.among(rest...) == 3 {
			return true
		}
	}
	return false
}

func (k Graphlets) dims() int {
	if k.size() == 4 {
		return kinds4
	}
	return kinds3
}

// String returns graphlets(size=3) or graphlets(size=4).
func (k Graphlets) String() string { return fmt.Sprintf("graphlets(size=%d)", k.size()) }

// Contains refuses sizes other than 3 and 4.
func (k Graphlets) Contains(*graph.Graph) error {
	if s := k.size(); s != 3 && s != 4 {
		return fmt.Errorf("graphlets: size is %d; graphlets of 3 and of 4 nodes are counted", s)
	}
	return nil
}

// Bind counts the graphlets of every graph once.
func (k Graphlets) Bind(rows, cols data.Set[*graph.Graph]) kernel.Pairs {
	return newVectors(rows, cols, k.dims(), k.Map)
}

// Features returns 4 or 11.
func (k Graphlets) Features(*graph.Graph) (int, bool) { return k.dims(), k.Contains(nil) == nil }

// Map stores the counts, in O(Σ_v deg(v)²) by the census of subgraphs.
func (k Graphlets) Map(phi []float64, g *graph.Graph) {
	clear(phi)
	if k.Contains(g) == nil {
		newCensus(g, k.size() == 4).store(phi)
	}
}

// Derive argues by the feature map.
func (k Graphlets) Derive() kernel.Derivation {
	return definite(k, "an inner product of vectors of counts of induced subgraphs (Shervashidze et al. 2009)")
}

// Reference describes the kernel.
func (k Graphlets) Reference() kernel.Reference {
	return kernel.Reference{Name: "graphlets", Title: "graphlet kernel", Formula: "Σ_i n_i(G) n_i(H), n_i(G) = sets of 3 or 4 nodes of G that induce the graphlet i",
		Domain: "G, H: graphs; size = 3 or 4", Source: "Shervashidze, Vishwanathan, Petri, Mehlhorn and Borgwardt, Efficient graphlet kernels for large graph comparison, AISTATS 2009", SeeAlso: []string{"wl", "sp"}}
}
