package graph

import (
	"context"
	"fmt"
	"math"
)

const (
	// LayoutLimit is the largest number of nodes that [Graph.Layout] places: its distances take
	// 8n² bytes.
	LayoutLimit = 2000
	sweeps      = 400
)

// Layout places the nodes in the plane such that their distances are near those along the
// edges, d_ij = the least number of edges between i and j. It descends the stress
//
//	Σ_{i<j} d_ij⁻² (‖x_i − x_j‖ − d_ij)²
//
// node by node (Gansner, Koren and North, Graph drawing by stress majorization, 2004, equation
// 11), from a start that depends on the graph alone: equal graphs have equal pictures. Directions
// and weights do not count; nodes of two components are as far apart as the longest path and one
// edge. Cost: O(n·edges + n²·sweeps). It is an error to place more than [LayoutLimit] nodes.
func (g *Graph) Layout(ctx context.Context) (x, y []float64, err error) {
	n := g.Len()
	if n > LayoutLimit {
		return nil, nil, fmt.Errorf("graph: %s has %d nodes; at most %d are placed in a picture", g.Source, n, LayoutLimit)
	}
	d := g.distances()
	x, y = spread(d)
	for range sweeps {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if majorize(d, x, y) < 1e-4 {
			break
		}
	}
	return x, y, nil
}

// majorize moves every node once to where its part of the majorized stress is least, and
// returns the longest move.
func majorize(d [][]float64, x, y []float64) (longest float64) {
	for i := range x {
		var sx, sy, total float64
		for j, far := range d[i] {
			if j == i {
				continue
			}
			w, dx, dy := 1/(far*far), x[i]-x[j], y[i]-y[j]
			stretch := 0.0
			if now := math.Hypot(dx, dy); now > 0 {
				stretch = far / now
			}
			sx += w * (x[j] + stretch*dx)
			sy += w * (y[j] + stretch*dy)
			total += w
		}
		if total == 0 { // the only node
			continue
		}
		sx, sy = sx/total, sy/total
		longest = max(longest, math.Hypot(sx-x[i], sy-y[i]))
		x[i], y[i] = sx, sy
	}
	return longest
}

// spread is the start: across, which of two far nodes is nearer; upwards, how far a third node is
// that is far from both. A narrow spiral keeps apart what has the same distances.
func spread(d [][]float64) (x, y []float64) {
	n := len(d)
	x, y = make([]float64, n), make([]float64, n)
	if n == 0 {
		return x, y
	}
	farthest := func(of func(i int) float64) (at int) {
		for i := range n {
			if of(i) > of(at) {
				at = i
			}
		}
		return at
	}
	left := farthest(func(i int) float64 { return d[0][i] })
	right := farthest(func(i int) float64 { return d[left][i] })
	top := farthest(func(i int) float64 { return min(d[left][i], d[right][i]) })
	const golden = 2.399963229728653 // radians
	for i := range n {
		sin, cos := math.Sincos(golden * float64(i))
		r := 0.5 * math.Sqrt(float64(i+1)/float64(n))
		x[i], y[i] = (d[left][i]-d[right][i])/2+r*cos, -d[top][i]+r*sin
	}
	return x, y
}

// distances returns the number of edges on the shortest path between all nodes.
func (g *Graph) distances() [][]float64 {
	adj, n := g.Adjacency(false), g.Len()
	d := make([][]float64, n)
	queue, longest := make([]int32, 0, n), 0.0
	for i := range d {
		d[i] = make([]float64, n)
		for j := range d[i] {
			d[i][j] = math.Inf(1)
		}
		d[i][i] = 0
		queue = append(queue[:0], int32(i))
		for k := 0; k < len(queue); k++ {
			u := queue[k]
			for _, v := range adj.Node[adj.Start[u]:adj.Start[u+1]] {
				if math.IsInf(d[i][v], 1) {
					d[i][v] = d[i][u] + 1
					queue = append(queue, v)
				}
			}
		}
		longest = max(longest, d[i][queue[len(queue)-1]])
	}
	for i := range d {
		for j := range d[i] {
			if math.IsInf(d[i][j], 1) {
				d[i][j] = longest + 1
			}
		}
	}
	return d
}
