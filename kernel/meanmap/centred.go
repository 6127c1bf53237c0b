package meanmap

import (
	"math"
	"math/big"

	"example.org/mercer/data"
	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
)

// Beside returns exp(of) − exp(u+v): the value of a centred kernel, given the logarithms of the
// kernel and of g of both points.
func Beside(of, u, v float64) float64 {
	if w := u + v; w > -700 {
		return math.Exp(w) * math.Expm1(of-w)
	}
	return math.Exp(of)
}

// Bind binds a centred kernel, given that of the logarithms of the kernel, and ln g of a point.
func Bind(of kernel.Pairs, rows, cols data.Set[[]float64], share func(x []float64) float64) kernel.Pairs {
	shares := func(xs data.Set[[]float64]) []float64 {
		out := make([]float64, xs.Len())
		for i := range out {
			out[i] = share(xs.At(i))
		}
		return out
	}
	c := &centred{Pairs: of, cols: shares(cols)}
	if c.rows = c.cols; !data.SameSlices(rows, cols) {
		c.rows = shares(rows)
	}
	return c
}

// centred is a centred kernel bound to points.
type centred struct {
	kernel.Pairs           // of the logarithms
	rows, cols   []float64 // ln g
}

// Tile takes the means off.
func (c *centred) Tile(dst kernel.Tile, row, col int) {
	c.Pairs.Tile(dst, row, col)
	for i := range dst.Rows {
		out := dst.Row(i)
		for j, v := range out {
			out[j] = Beside(v, c.rows[row+i], c.cols[col+j])
		}
	}
}

// Big returns 1 − v⁻² and (a² + b²)/v of points a and b less the centre, in units of the spread.
// g(a)g(b) of the Gaussian kernel of the width is the root of the one times the exponential of
// minus half of the other.
func Big(c *bigmath.Calculator, a, b, width, spread *big.Float) (product, sum *big.Float) {
	s, one := c.Quo(width, spread), c.Of(1)
	v := c.Add(c.Mul(s, s), one)
	a, b = c.Quo(a, spread), c.Quo(b, spread)
	return c.Sub(one, c.Quo(one, c.Mul(v, v))), c.Quo(c.Add(c.Mul(a, a), c.Mul(b, b)), v)
}
