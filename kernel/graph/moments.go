package graph

import (
	"mercer/data"
	"mercer/data/graph"
	"mercer/kernel"
)

// vectors are graphs with explicit features, few enough to be stored: k = ⟨φ(G), φ(H)⟩.
type vectors struct {
	rows, cols []float64
	n, m, dims int
}

func newVectors(rows, cols data.Set[*graph.Graph], dims int, store func(phi []float64, g *graph.Graph)) *vectors {
	p := &vectors{n: rows.Len(), m: cols.Len(), dims: dims}
	all := func(xs data.Set[*graph.Graph]) []float64 {
		phi := make([]float64, xs.Len()*dims)
		for i := range xs.Len() {
			store(phi[i*dims:(i+1)*dims], xs.At(i))
		}
		return phi
	}
	p.cols = all(cols)
	if p.rows = p.cols; !same(rows, cols) {
		p.rows = all(rows)
	}
	return p
}

// Dims returns the numbers of graphs.
func (p *vectors) Dims() (rows, cols int) { return p.n, p.m }

// Tile stores inner products. Four sums run side by side.
func (p *vectors) Tile(dst kernel.Tile, row, col int) {
	d := p.dims
	for i := range dst.Rows {
		x, out := p.rows[(row+i)*d:(row+i+1)*d], dst.Row(i)
		for j := range out {
			out[j] = inner(x, p.cols[(col+j)*d:(col+j+1)*d])
		}
	}
}

func inner(x, y []float64) float64 {
	y = y[:len(x)]
	var a, b, c, e float64
	i := 0
	for ; i+4 <= len(x); i += 4 {
		a += x[i] * y[i]
		b += x[i+1] * y[i+1]
		c += x[i+2] * y[i+2]
		e += x[i+3] * y[i+3]
	}
	for ; i < len(x); i++ {
		a += x[i] * y[i]
	}
	return (a + b) + (c + e)
}

// Norms stores k(x, x) of the rows and of the columns; see [kernel.Normed].
func (p *vectors) Norms(rows, cols []float64) {
	for i := range rows {
		x := p.rows[i*p.dims : (i+1)*p.dims]
		rows[i] = inner(x, x)
	}
	for j := range cols {
		y := p.cols[j*p.dims : (j+1)*p.dims]
		cols[j] = inner(y, y)
	}
}

// moments stores √wₜ·1ᵀAᵗ1 for t < len(phi), where factor(t) = √(wₜ/wₜ₋₁) and w₀ = 1: how
// many walks of t edges there are, whatever their labels. Their products over two graphs are the
// walks of the product graph, because (A ⊗ B)ᵗ = Aᵗ ⊗ Bᵗ.
func moments(phi []float64, g *graph.Graph, factor func(t int) float64) {
	adj, n := g.Adjacency(true), g.Len()
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
