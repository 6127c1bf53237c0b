package graph

import (
	"slices"

	"example.org/mercer/data/graph"
)

// census holds what determines the numbers of graphlets: the subgraphs, induced or not, that
// can be counted from neighbours of neighbours. The induced ones follow by subtracting how
// often each larger graphlet contains a smaller one (Marcus and Shavitt, RAGE: a rapid
// graphlet enumerator for large networks, Computer Networks 56, 2012; Ahmed et al., Efficient
// graphlet counting for large networks, ICDM 2015).
type census struct {
	nodes, edges                                           float64
	wedges, triangles                                      float64
	stars, paths, paws, cycles, diamonds, cliques, matches float64
	four                                                   bool
}

// newCensus counts in O(Σ_v deg(v)²) steps, and more only for cliques of four nodes: at
// most the number of triangles times the largest degree.
func newCensus(g *graph.Graph, four bool) *census {
	near := lists(g)
	c := &census{nodes: float64(len(near)), four: four}
	mark := make([]bool, len(near))
	shared := make([]float64, len(near)) // common neighbours with the present node
	for u, list := range near {
		d := float64(len(list))
		c.edges += d / 2
		c.wedges += choose2(d)
		c.stars += d * (d - 1) * (d - 2) / 6
		for _, v := range list {
			mark[v] = true
		}
		around := 0.0 // 2 × the triangles at u
		for _, v := range list {
			common := 0.0
			for _, w := range near[v] {
				shared[w]++
				if mark[w] {
					common++
				}
			}
			around += common
			if int(v) > u {
				c.diamonds += choose2(common)
				c.paths += (d - 1) * float64(len(near[v])-1)
				if four {
					c.cliques += cliquesOn(near, mark, v)
				}
			}
		}
		c.triangles += around
		c.paws += around / 2 * (d - 2)
		for _, v := range list {
			for _, w := range near[v] {
				if int(w) > u {
					c.cycles += choose2(shared[w]) / 2 // once for each pair of opposite nodes
				}
				shared[w] = 0
			}
			mark[v] = false
		}
	}
	c.triangles /= 6 // each was found from the two ends of its three edges
	c.paths -= 3 * c.triangles
	c.cliques /= 6 // each was found from its six edges
	c.matches = choose2(c.edges) - c.wedges
	return c
}

// cliquesOn counts the edges among the common neighbours of the marked node and v.
func cliquesOn(near [][]int32, mark []bool, v int32) float64 {
	n := 0.0
	for _, w := range near[v] {
		if !mark[w] {
			continue
		}
		for _, x := range near[w] {
			if x > w && mark[x] {
				if _, ok := slices.BinarySearch(near[v], x); ok {
					n++
				}
			}
		}
	}
	return n
}

func choose2(n float64) float64 { return n * (n - 1) / 2 }

// lists returns the neighbours of every node in ascending order, without loops and
// repetitions.
func lists(g *graph.Graph) [][]int32 {
	adj := g.Adjacency(false)
	out := make([][]int32, g.Len())
	for v := range out {
		list := slices.DeleteFunc(slices.Clone(adj.Node[adj.Start[v]:adj.Start[v+1]]), func(w int32) bool { return int(w) == v })
		slices.Sort(list)
		out[v] = slices.Compact(list)
	}
	return out
}

// store stores the numbers of induced graphlets.
func (c *census) store(phi []float64) {
	if !c.four {
		paths := c.wedges - 3*c.triangles
		edges := c.edges*(c.nodes-2) - 2*paths - 3*c.triangles
		phi[triangle3], phi[path3], phi[edge3] = c.triangles, paths, edges
		phi[empty3] = c.nodes*(c.nodes-1)*(c.nodes-2)/6 - edges - paths - c.triangles
		return
	}
	n := c.nodes
	clique := c.cliques
	diamond := c.diamonds - 6*clique
	cycle := c.cycles - diamond - 3*clique
	paw := c.paws - 4*diamond - 12*clique
	star := c.stars - paw - 2*diamond - 4*clique
	path := c.paths - 2*paw - 4*cycle - 6*diamond - 12*clique
	triangle := c.triangles*(n-3) - paw - 2*diamond - 4*clique
	wedge := c.wedges*(n-3) - 3*triangle - 3*star - 2*path - 4*cycle - 5*paw - 8*diamond - 12*clique
	pair := c.matches - path - 2*cycle - paw - 2*diamond - 3*clique
	edge := c.edges*choose2(n-2) - 2*pair - 2*wedge - 3*triangle - 3*star - 3*path - 4*cycle - 4*paw - 5*diamond - 6*clique
	all := n * (n - 1) * (n - 2) * (n - 3) / 24
	phi[clique4], phi[diamond4], phi[cycle4], phi[paw4], phi[star4], phi[path4] = clique, diamond, cycle, paw, star, path
	phi[triangle4], phi[wedge4], phi[pair4], phi[edge4] = triangle, wedge, pair, edge
	phi[empty4] = all - edge - pair - wedge - triangle - star - path - paw - cycle - diamond - clique
}
