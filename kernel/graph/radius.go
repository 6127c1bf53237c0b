package graph

import (
	"math"

	"example.org/mercer/data/graph"
)

const (
	radiusSteps = 512
	radiusCheck = 16
	radiusGap   = 1e-7
)

// radius bounds the spectral radius ρ of a matrix of n rows without negative elements from
// above. multiply stores Ax in y. For a positive vector x, ρ(A) + 1 ≤ maxᵢ ((A + I)x)ᵢ/xᵢ
// (Collatz and Wielandt); the steps of the power method bring this down to ρ + 1, and end
// when the bound stops falling. The + I keeps x positive, and keeps bipartite graphs from
// swinging between two vectors.
func radius(n int, multiply func(y, x []float64)) float64 {
	if n == 0 {
		return 0
	}
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	bound, before := 0.0, 0.0
	for t := range radiusSteps {
		multiply(y, x)
		ratio := 0.0
		for i, v := range y {
			y[i] = v + x[i]
			ratio = max(ratio, y[i]/x[i])
		}
		if t == 0 || ratio < bound {
			bound = ratio
		}
		scale := 0.0
		for _, v := range y {
			scale = max(scale, v)
		}
		for i, v := range y {
			x[i] = max(v/scale, 1e-280)
		}
		if t%radiusCheck == radiusCheck-1 {
			if before-bound < radiusGap*bound && t > radiusCheck {
				break
			}
			before = bound
		}
	}
	return max(0, bound-1)
}

// square returns ρ of the product of a graph with itself, with the sizes of the weights if its
// steps have some: a bound for the ρ of the weights.
func square(g *graph.Graph, attribute string, of Base) float64 {
	if of.empty() && !labelled(g, attribute) {
		adj := of.steps(g)
		r := radius(g.Len(), func(y, x []float64) {
			for v := range y {
				y[v] = 0
				for _, w := range adj.Node[adj.Start[v]:adj.Start[v+1]] {
					y[v] += x[w]
				}
			}
		})
		return r * r
	}
	p, err := NewWeightedProduct(g, g, attribute, of)
	if err != nil {
		return 0
	}
	return radius(len(p.Pairs), func(y, x []float64) {
		for i, next := range p.Next {
			y[i] = 0
			for e, j := range next {
				if p.Weight == nil {
					y[i] += x[j]
				} else {
					y[i] += math.Abs(p.Weight[i][e]) * x[j]
				}
			}
		}
	})
}
