package vec

import (
	"math"
	"math/big"

	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/network"
	"example.org/mercer/kernel/tile"
)

// What kernels of networks share: they are functions of the angle between two points and of their
// lengths.

func evalLayers(n network.Network, x, y []float64) float64 {
	return n.Value(tile.Angle.Value(x, y), tile.Dot(x, x), tile.Dot(y, y))
}

// network emits the kernel of a network on the columns in force.
func (c *compiler) network(n network.Network) {
	c.statistic(tile.Angle, nil, 0)
	c.plan.Program = append(c.plan.Program, tile.Op{Code: tile.OpNetwork, Statistic: c.last, List: n.Numbers()})
}

// addLayersSlope adds c·∇ₓk = c·(∂k/∂θ·∇θ + ∂k/∂⟨x,x⟩·2x). Of unit vectors u and v the gradient of
// θ in x is (u − v − ½‖u−v‖²u)/(‖x‖ sin θ), of which nothing cancels where they are near.
func addLayersSlope(n network.Network, dst []float64, c float64, x, y []float64) {
	xx, yy, theta := tile.Dot(x, x), tile.Dot(y, y), tile.Angle.Value(x, y)
	_, g := n.Gradient(theta, xx, yy)
	addScaled(dst, 2*c*g.XX, x)
	lx, ly, sin := math.Sqrt(xx), math.Sqrt(yy), math.Sin(theta)
	if lx == 0 || ly == 0 || sin == 0 {
		return
	}
	half := math.Sin(theta / 2)
	half *= 2 * half // ½‖u−v‖²
	c *= g.Theta / (lx * sin)
	for j, v := range x {
		u := v / lx
		dst[j] += c * ((u - y[j]/ly) - half*u)
	}
}

// layers is the kernel of a network to as many bits as the calculator has.
func (c *calculator) layers(n network.Network, input *big.Float, x, y []float64) *big.Float {
	v, err := n.Big(c.Dot(x, x), c.Dot(x, y), c.Dot(y, y), input, c.Prec)
	if err != nil {
		c.Err = err
		return new(big.Float)
	}
	return v
}

// unitsOf is the construction of a network on d columns: each layer draws its units on the features
// of the one before. The tangent kernel is the sum of two blocks, the units and the product of the
// layers before with their derivatives (A. Zandieh and others, Scaling neural tangent kernels
// via sketching and random features, NeurIPS 2021).
func unitsOf(n network.Network, d int) construction.Features[vector] {
	scale := math.Sqrt(n.Input * n.Weight)
	var cov construction.Features[vector] = construction.Explicit[vector]{Dim: d + 1, Map: func(phi, x []float64) {
		for j, v := range x {
			phi[j] = scale * v
		}
		phi[len(x)] = math.Sqrt(n.Bias)
	}}
	tangent := cov
	for range n.Depth {
		slopes := construction.Units[vector]{Of: cov, Activation: n.Activation.Slope}
		cov = construction.Total[vector]{}.Plus(n.Weight, construction.Units[vector]{Of: cov, Activation: n.Activation.Value}).Plus(n.Bias, construction.One[vector]())
		if n.Tangent {
			product := construction.Product([]construction.Features[vector]{tangent, slopes}, construction.Explicit[vector]{})
			tangent = construction.Total[vector]{}.Plus(n.Weight, product).Plus(1, cov)
		}
	}
	if n.Tangent {
		return tangent
	}
	return cov
}
