package vec

import (
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
)

// exactBits is enough for sums and products of a few float64 to be exact: the
// product of two spans at most 4300 bits from its highest to its lowest possible
// one, that of three 6400. Numbers that need fewer bits take no more memory.
const exactBits = 8192

// guardBits are carried beyond the wanted precision by roundings, quotients and
// elementary functions. They absorb the amplification of the exponential, whose
// relative error is the absolute error of its argument.
const guardBits = 64

// calculator evaluates a formula in big floats. Sums and products are exact, so that
// cancellation loses nothing; the rest has guardBits to spare. The first error stays
// and everything after it is 0.
type calculator struct {
	prec uint
	err  error
}

// bigEval checks both points against the domain of k and evaluates formula.
func bigEval(k kernel.Domain[[]float64], x, y []float64, prec uint, formula func(c *calculator) *big.Float) (*big.Float, error) {
	for _, p := range [][]float64{x, y} {
		if err := k.Contains(p); err != nil {
			return nil, err
		}
	}
	c := &calculator{prec: prec + guardBits}
	v := formula(c)
	if c.err != nil {
		return nil, c.err
	}
	return new(big.Float).SetPrec(prec).Set(v), nil
}

func (c *calculator) exact() *big.Float              { return new(big.Float).SetPrec(exactBits) }
func (c *calculator) of(v float64) *big.Float        { return c.exact().SetFloat64(v) }
func (c *calculator) add(a, b *big.Float) *big.Float { return c.exact().Add(a, b) }
func (c *calculator) sub(a, b *big.Float) *big.Float { return c.exact().Sub(a, b) }
func (c *calculator) mul(a, b *big.Float) *big.Float { return c.exact().Mul(a, b) }

// quo is a/b, rounded; b must not be 0.
func (c *calculator) quo(a, b *big.Float) *big.Float {
	return new(big.Float).SetPrec(c.prec).Quo(a, b)
}

// call applies an elementary function of [bigmath].
func (c *calculator) call(f func(x *big.Float, prec uint) (*big.Float, error), x *big.Float) *big.Float {
	if c.err != nil {
		return new(big.Float)
	}
	v, err := f(x, c.prec)
	if err != nil {
		c.err = err
		return new(big.Float)
	}
	return v
}

// pow is aᵇ.
func (c *calculator) pow(a, b *big.Float) *big.Float {
	return c.call(func(x *big.Float, prec uint) (*big.Float, error) { return bigmath.Pow(x, b, prec) }, a)
}

// powInt is aⁿ.
func (c *calculator) powInt(a *big.Float, n int) *big.Float {
	return c.call(func(x *big.Float, prec uint) (*big.Float, error) { return bigmath.PowInt(x, int64(n), prec) }, a)
}

// dot is the exact ⟨x, y⟩.
func (c *calculator) dot(x, y []float64) *big.Float {
	sum := c.exact()
	for j := range x {
		sum = c.add(sum, c.mul(c.of(x[j]), c.of(y[j])))
	}
	return sum
}

// squared is Σⱼ ((xⱼ−yⱼ)/σⱼ)², with the one σ for all columns where there is one.
func (c *calculator) squared(w widths, x, y []float64) *big.Float {
	sum := c.exact()
	for j := range x {
		u := c.quo(c.sub(c.of(x[j]), c.of(y[j])), c.of(w.at(j)))
		sum = c.add(sum, c.mul(u, u))
	}
	return sum
}

// manhattan is Σⱼ |xⱼ−yⱼ|/σⱼ.
func (c *calculator) manhattan(w widths, x, y []float64) *big.Float {
	sum := c.exact()
	for j := range x {
		u := c.quo(c.sub(c.of(x[j]), c.of(y[j])), c.of(w.at(j)))
		sum = c.add(sum, u.Abs(u))
	}
	return sum
}

// powers is Σⱼ |(xⱼ−yⱼ)/σⱼ|^p.
func (c *calculator) powers(w widths, p float64, x, y []float64) *big.Float {
	sum := c.exact()
	for j := range x {
		u := c.quo(c.sub(c.of(x[j]), c.of(y[j])), c.of(w.at(j)))
		sum = c.add(sum, c.pow(u.Abs(u), c.of(p)))
	}
	return sum
}

// extremes returns the exact Σⱼ min(xⱼ, yⱼ) and Σⱼ max(xⱼ, yⱼ).
func (c *calculator) extremes(x, y []float64) (least, most *big.Float) {
	least, most = c.exact(), c.exact()
	for j := range x {
		least = c.add(least, c.of(min(x[j], y[j])))
		most = c.add(most, c.of(max(x[j], y[j])))
	}
	return least, most
}
