package network

import (
	"math"

	"example.org/mercer/kernel/construction"
)

// point is what the kernels compare.
type point = []float64

// Units is the construction of the kernel on d columns: each layer draws its units on the features
// of the one before. The tangent kernel is the sum of two blocks, the units and the product of the
// layers before with their derivatives (A. Zandieh and others, Scaling neural tangent kernels
// via sketching and random features, NeurIPS 2021).
func (n Network) Units(d int) construction.Features[point] {
	scale := math.Sqrt(n.Input * n.Weight)
	var cov construction.Features[point] = construction.Explicit[point]{Dim: d + 1, Map: func(phi, x []float64) {
		for j, v := range x {
			phi[j] = scale * v
		}
		phi[len(x)] = math.Sqrt(n.Bias)
	}}
	tangent := cov
	for range n.Depth {
		slopes := construction.Units[point]{Of: cov, Activation: n.Activation.Slope}
		cov = construction.Total[point]{}.Plus(n.Weight, construction.Units[point]{Of: cov, Activation: n.Activation.Value}).Plus(n.Bias, construction.One[point]())
		if n.Tangent {
			product := construction.Product([]construction.Features[point]{tangent, slopes}, construction.Explicit[point]{})
			tangent = construction.Total[point]{}.Plus(n.Weight, product).Plus(1, cov)
		}
	}
	if n.Tangent {
		return tangent
	}
	return cov
}
