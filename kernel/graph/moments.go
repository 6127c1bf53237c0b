package graph

import (
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel/count"
)

// newVectors binds graphs by explicit features, which store stores.
func newVectors(rows, cols data.Set[*graph.Graph], dims int, store func(phi []float64, g *graph.Graph)) *count.Vectors {
	p := &count.Vectors{N: rows.Len(), M: cols.Len(), Dim: dims}
	all := func(xs data.Set[*graph.Graph]) []float64 {
		phi := make([]float64, xs.Len()*dims)
		for i := range xs.Len() {
			store(phi[i*dims:(i+1)*dims], xs.At(i))
		}
		return phi
	}
	p.Cols = all(cols)
	if p.Rows = p.Cols; !same(rows, cols) {
		p.Rows = all(rows)
	}
	return p
}

// moments stores √wₜ·1ᵀAᵗ1 for t < len(phi), where factor(t) = √(wₜ/wₜ₋₁) and w₀ = 1: how
// many walks of t edges there are, whatever their labels. Their products over two graphs are the
// walks of the product graph, because (A ⊗ B)ᵗ = Aᵗ ⊗ Bᵗ.
func moments(phi []float64, adj graph.Adjacency, factor func(t int) float64) {
	n := len(adj.Start) - 1
	now, last := make([]float64, n), make([]float64, n)
	for v := range now {
		now[v] = 1
	}
	for t := range phi {
		if t > 0 {
			now, last = last, now
			f := factor(t)
			for v := range now {
				sum := 0.0
				for _, w := range adj.Node[adj.Start[v]:adj.Start[v+1]] {
					sum += last[w]
				}
				now[v] = f * sum
			}
		}
		phi[t] = 0
		for _, x := range now {
			phi[t] += x
		}
	}
}
