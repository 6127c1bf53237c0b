package vec

import (
	"math"
	"math/big"

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
