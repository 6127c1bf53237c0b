package vec

import (
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
)

// guardBits are carried beyond the wanted precision by roundings, quotients and
// elementary functions. They absorb the amplification of the exponential, whose
// relative error is the absolute error of its argument.
const guardBits = 64

// calculator is that of package bigmath, with the sums over columns that kernels need.
type calculator struct{ bigmath.Calculator }

// bigEval checks both points against the domain of k and evaluates formula.
func bigEval(k kernel.Domain[[]float64], x, y []float64, prec uint, formula func(c *calculator) *big.Float) (*big.Float, error) {
	for _, p := range [][]float64{x, y} {
		if err := k.Contains(p); err != nil {
			return nil, err
		}
	}
	c := &calculator{bigmath.Calculator{Prec: prec + guardBits}}
	v := formula(c)
	if c.Err != nil {
		return nil, c.Err
	}
	return new(big.Float).SetPrec(prec).Set(v), nil
}

// squared is Σⱼ ((xⱼ−yⱼ)/σⱼ)², with the one σ for all columns where there is one.
func (c *calculator) squared(w widths, x, y []float64) *big.Float {
	sum := c.Of(0)
	for j := range x {
		u := c.Quo(c.Sub(c.Of(x[j]), c.Of(y[j])), c.Of(w.at(j)))
		sum = c.Add(sum, c.Mul(u, u))
	}
	return sum
}

// manhattan is Σⱼ |xⱼ−yⱼ|/σⱼ.
func (c *calculator) manhattan(w widths, x, y []float64) *big.Float {
	sum := c.Of(0)
	for j := range x {
		u := c.Quo(c.Sub(c.Of(x[j]), c.Of(y[j])), c.Of(w.at(j)))
		sum = c.Add(sum, u.Abs(u))
	}
	return sum
}

// powers is Σⱼ |(xⱼ−yⱼ)/σⱼ|^p.
func (c *calculator) powers(w widths, p float64, x, y []float64) *big.Float {
	sum := c.Of(0)
	for j := range x {
		u := c.Quo(c.Sub(c.Of(x[j]), c.Of(y[j])), c.Of(w.at(j)))
		sum = c.Add(sum, c.Pow(u.Abs(u), c.Of(p)))
	}
	return sum
}

// extremes returns the exact Σⱼ min(xⱼ, yⱼ) and Σⱼ max(xⱼ, yⱼ).
func (c *calculator) extremes(x, y []float64) (least, most *big.Float) {
	least, most = c.Of(0), c.Of(0)
	for j := range x {
		least = c.Add(least, c.Of(min(x[j], y[j])))
		most = c.Add(most, c.Of(max(x[j], y[j])))
	}
	return least, most
}
