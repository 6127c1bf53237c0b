package network

import (
	"math/big"

	"example.org/mercer/internal/bigmath"
)

// Big returns the kernel to prec bits, by the recursion as books write it. xy, xx and yy are the
// inner products of the points; input is ι, which need not be a float64.
func (n Network) Big(xx, xy, yy, input *big.Float, prec uint) (*big.Float, error) {
	// The angle has half of the digits of its cosine where points are near one another.
	c := &arithmetic{prec: 2*prec + 128}
	w, b := c.of(n.Weight), c.of(n.Bias)
	first := func(v *big.Float) *big.Float { return c.add(c.mul(c.mul(input, w), v), b) }
	q, p, cov := first(xx), first(yy), first(xy)
	tangent := cov
	for range n.Depth {
		var slope *big.Float
		q, p, cov, slope = n.bigLayer(c, q, p, cov)
		q, p, cov = c.add(c.mul(w, q), b), c.add(c.mul(w, p), b), c.add(c.mul(w, cov), b)
		tangent = c.add(c.mul(c.mul(tangent, w), slope), cov)
	}
	if n.Tangent {
		cov = tangent
	}
	if c.err != nil {
		return nil, c.err
	}
	return new(big.Float).SetPrec(prec).Set(cov), nil
}

// bigLayer returns E φ(u)², E φ(v)², E φ(u)φ(v) and E φ′(u)φ′(v).
func (n Network) bigLayer(c *arithmetic, q, p, cov *big.Float) (qq, pp, qp, slope *big.Float) {
	pi := bigmath.Pi(c.prec)
	if n.Activation == Erf {
		one, two := c.of(1), c.quo(c.of(2), pi)
		wide := func(v *big.Float) *big.Float { return c.add(one, c.mul(c.of(2), v)) }
		both := c.mul(wide(q), wide(p))
		of := func(u, v, w *big.Float) *big.Float {
			return c.mul(two, c.call(bigmath.Asin, c.quo(c.mul(c.of(2), u), c.root(c.mul(v, w)))))
		}
		rest := c.sub(both, c.mul(c.of(4), c.mul(cov, cov)))
		return of(q, wide(q), wide(q)), of(p, wide(p), wide(p)), of(cov, wide(q), wide(p)), c.quo(c.mul(c.of(2), two), c.root(rest))
	}
	whole := c.root(c.mul(q, p))
	if whole.Sign() == 0 {
		zero := c.of(0)
		return n.bigSelf(c, q), n.bigSelf(c, p), zero, zero
	}
	cos := c.quo(cov, whole)
	less := c.sub(c.of(1), cos)
	if less.Sign() < 0 { // by rounding
		less = c.of(0)
	}
	theta := c.mul(c.of(2), c.call(bigmath.Asin, c.root(c.quo(less, c.of(2)))))
	sin, left := c.root(c.mul(less, c.add(c.of(1), cos))), c.sub(pi, theta)
	twice := c.mul(c.of(2), pi)
	slope = c.quo(left, twice)
	switch n.Activation {
	case Step:
		qp = slope
	case Rectifier:
		qp = c.mul(whole, c.quo(c.add(sin, c.mul(left, cos)), twice))
	case Square:
		j := c.add(c.mul(c.of(3), c.mul(sin, cos)), c.mul(left, c.add(c.of(1), c.mul(c.of(2), c.mul(cos, cos)))))
		qp = c.mul(c.mul(whole, whole), c.quo(j, twice))
	}
	return n.bigSelf(c, q), n.bigSelf(c, p), qp, slope
}

// bigSelf returns E φ(u)² of u with variance q for a power of the rectifier.
func (n Network) bigSelf(c *arithmetic, q *big.Float) *big.Float {
	switch {
	case n.Activation == Step && q.Sign() == 0:
		return c.of(0)
	case n.Activation == Step:
		return c.of(0.5)
	case n.Activation == Square:
		return c.mul(c.of(1.5), c.mul(q, q))
	}
	return c.mul(c.of(0.5), q)
}

// arithmetic is arithmetic of one precision; the first error stays.
type arithmetic struct {
	prec uint
	err  error
}

func (c *arithmetic) new() *big.Float                { return new(big.Float).SetPrec(c.prec) }
func (c *arithmetic) of(v float64) *big.Float        { return c.new().SetFloat64(v) }
func (c *arithmetic) add(a, b *big.Float) *big.Float { return c.new().Add(a, b) }
func (c *arithmetic) sub(a, b *big.Float) *big.Float { return c.new().Sub(a, b) }
func (c *arithmetic) mul(a, b *big.Float) *big.Float { return c.new().Mul(a, b) }
func (c *arithmetic) quo(a, b *big.Float) *big.Float { return c.new().Quo(a, b) }

// root is √a, and 0 where rounding made a negative.
func (c *arithmetic) root(a *big.Float) *big.Float {
	if a.Sign() <= 0 {
		return c.of(0)
	}
	return c.new().Sqrt(a)
}

func (c *arithmetic) call(f func(x *big.Float, prec uint) (*big.Float, error), x *big.Float) *big.Float {
	v, err := f(x, c.prec)
	if err != nil {
		if c.err == nil {
			c.err = err
		}
		return c.of(0)
	}
	return v
}
