package graph

import (
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
)

// Product is the direct product of two graphs: a node for every pair of nodes with the
// same label, and an edge from (v₁, v₂) to (v₁′, v₂′) where there are edges from v₁ to v₁′
// and from v₂ to v₂′. Its walks are the pairs of walks with the same labels.
type Product struct {
	Pairs  [][2]int    // the nodes (v₁, v₂), those with the same v₁ together
	Next   [][]int     // where the edges from each node lead, with their multiplicity
	Weight [][]float64 // of these edges; nil: 1

	number []int // of a pair, counted from 1; 0: not a node
	width  int
}

// NewWeightedProduct is [NewProduct] whose edges have the weights of a step,
// k(v₁, v₂) k(e₁, e₂) k(v₁′, v₂′), by the base kernels on the attributes of nodes and edges. Graphs
// without such attributes are an error, and so are graphs with different ones.
func NewWeightedProduct(g, h *graph.Graph, attribute string, of Base) (*Product, error) {
	p, err := pairs(g, h, attribute)
	if err != nil {
		return nil, err
	}
	p.Next = make([][]int, len(p.Pairs))
	from, to := of.steps(g), of.steps(h)
	p.arcs(from, to, func(i, j, _, _ int) { p.Next[i] = append(p.Next[i], j) })
	if of.empty() {
		return p, nil
	}
	pair := data.Slice[*graph.Graph]{g, h}
	for _, x := range pair {
		if err := of.domain(x, attribute); err != nil {
			return nil, err
		}
	}
	if _, err := of.agree(pair, g, attribute); err != nil {
		return nil, err
	}
	nodes := [2]described{}
	edges := [2]described{}
	for side, x := range pair {
		nodes[side], _ = of.nodes(x, attribute)
		edges[side], _ = of.edges(x)
	}
	alike := func(k kernel.Kernel[[]float64], of [2]described, i, j int) float64 {
		if k == nil {
			return 1
		}
		return k.Eval(of[0].rows.At(i), of[1].rows.At(j))
	}
	node := make([]float64, len(p.Pairs))
	for i, v := range p.Pairs {
		node[i] = alike(of.Node, nodes, v[0], v[1])
	}
	p.Weight = make([][]float64, len(p.Pairs))
	p.arcs(from, to, func(i, j, e, f int) {
		p.Weight[i] = append(p.Weight[i], node[i]*alike(of.Edge, edges, e, f)*node[j])
	})
	return p, nil
}

// NewProduct joins two graphs whose nodes are labelled as [Labels] says. Undirected edges lead both
// ways, and parallel ones are one; weights and labels of edges are not looked at. It takes
// O(|V₁||V₂| + |E₁||E₂|) time and memory. A graph without the attribute, or with a node that has no
// label, is an error.
func NewProduct(g, h *graph.Graph, attribute string) (*Product, error) {
	return NewWeightedProduct(g, h, attribute, Base{})
}

// pairs returns the nodes of the product.
func pairs(g, h *graph.Graph, attribute string) (*Product, error) {
	left, err := Labels(g, attribute)
	if err != nil {
		return nil, err
	}
	right, err := Labels(h, attribute)
	if err != nil {
		return nil, err
	}
	p := &Product{number: make([]int, len(left)*len(right)), width: len(right)}
	for v, a := range left {
		for w, b := range right {
			if a == b {
				p.Pairs = append(p.Pairs, [2]int{v, w})
				p.number[v*len(right)+w] = len(p.Pairs)
			}
		}
	}
	return p, nil
}

// arcs visits the edges from node i to node j of the product, made of the edges e and f of two
// graphs.
func (p *Product) arcs(from, to graph.Adjacency, visit func(i, j, e, f int)) {
	for i, pair := range p.Pairs {
		for a := from.Start[pair[0]]; a < from.Start[pair[0]+1]; a++ {
			for b := to.Start[pair[1]]; b < to.Start[pair[1]+1]; b++ {
				if j := p.number[int(from.Node[a])*p.width+int(to.Node[b])]; j > 0 {
					visit(i, j-1, int(from.Edge[a]), int(to.Edge[b]))
				}
			}
		}
	}
}

// Walks returns how many walks there are with 0, 1, …, k edges, or the sum of their weights: 1ᵀAᵗ1,
// since [Aᵗ]ᵢⱼ counts the walks with t edges from i to j. Each length takes one product with A.
func (p *Product) Walks(k int) []float64 {
	ending := make([]float64, len(p.Pairs)) // walks of the present length that end at a node
	for i := range ending {
		ending[i] = 1
	}
	out := []float64{float64(len(p.Pairs))}
	for range k {
		next, sum := make([]float64, len(ending)), 0.0
		for i, to := range p.Next {
			for e, j := range to {
				more := ending[i]
				if p.Weight != nil {
					more *= p.Weight[i][e]
				}
				next[j] += more
				sum += more
			}
		}
		ending, out = next, append(out, sum)
	}
	return out
}
