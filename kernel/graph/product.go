package graph

import "mercer/data/graph"

// Product is the direct product of two graphs: a node for every pair of nodes with the
// same label, and an edge from (v₁, v₂) to (v₁′, v₂′) where there are edges from v₁ to v₁′
// and from v₂ to v₂′. Its walks are the pairs of walks with the same labels.
type Product struct {
	Pairs [][2]int // the nodes (v₁, v₂), those with the same v₁ together
	Next  [][]int  // where the edges from each node lead, with their multiplicity
}

// NewProduct joins two graphs whose nodes are labelled as [Labels] says. Undirected edges lead both ways; weights and labels of
// edges are not looked at. It takes O(|V₁||V₂| + |E₁||E₂|) time and memory. A graph
// without the attribute, or with a node that has no label, is an error.
func NewProduct(g, h *graph.Graph, attribute string) (*Product, error) {
	left, err := Labels(g, attribute)
	if err != nil {
		return nil, err
	}
	right, err := Labels(h, attribute)
	if err != nil {
		return nil, err
	}
	p := &Product{}
	number := make([]int, len(left)*len(right)) // of a pair, counted from 1; 0: not a node
	for v, a := range left {
		for w, b := range right {
			if a == b {
				p.Pairs = append(p.Pairs, [2]int{v, w})
				number[v*len(right)+w] = len(p.Pairs)
			}
		}
	}
	from, to := g.Adjacency(true), h.Adjacency(true)
	p.Next = make([][]int, len(p.Pairs))
	for i, pair := range p.Pairs {
		for _, v := range from.Node[from.Start[pair[0]]:from.Start[pair[0]+1]] {
			for _, w := range to.Node[to.Start[pair[1]]:to.Start[pair[1]+1]] {
				if j := number[int(v)*len(right)+int(w)]; j > 0 {
					p.Next[i] = append(p.Next[i], j-1)
				}
			}
		}
	}
	return p, nil
}

// Walks returns how many walks there are with 0, 1, …, k edges: 1ᵀAᵗ1, since [Aᵗ]ᵢⱼ counts
// the walks with t edges from i to j. Each length takes one product with A.
func (p *Product) Walks(k int) []float64 {
	ending := make([]float64, len(p.Pairs)) // walks of the present length that end at a node
	for i := range ending {
		ending[i] = 1
	}
	out := []float64{float64(len(p.Pairs))}
	for range k {
		next, sum := make([]float64, len(ending)), 0.0
		for i, to := range p.Next {
			for _, j := range to {
				next[j] += ending[i]
				sum += ending[i]
			}
		}
		ending, out = next, append(out, sum)
	}
	return out
}
