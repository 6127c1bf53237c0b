package bigmath

import "math/big"

// exactBits is enough for sums and products of a few float64 to be exact: the
// product of two spans at most 4300 bits from its highest to its lowest possible
// one, that of three 6400. Numbers that need fewer bits take no more memory.
const exactBits = 8192

// Calculator evaluates a formula in big floats. Sums and products are exact, so that
// cancellation loses nothing; quotients and functions are rounded to Prec bits. The first error
// stays, and everything after it is 0.
type Calculator struct {
	Prec uint
	Err  error
}

func exact() *big.Float { return new(big.Float).SetPrec(exactBits) }

// Of returns v.
func (c *Calculator) Of(v float64) *big.Float { return exact().SetFloat64(v) }

// Add returns a + b.
func (c *Calculator) Add(a, b *big.Float) *big.Float { return exact().Add(a, b) }

// Sub returns a − b.
func (c *Calculator) Sub(a, b *big.Float) *big.Float { return exact().Sub(a, b) }

// Mul returns a·b.
func (c *Calculator) Mul(a, b *big.Float) *big.Float { return exact().Mul(a, b) }

// Quo returns a/b, rounded; b must not be 0.
func (c *Calculator) Quo(a, b *big.Float) *big.Float {
	return new(big.Float).SetPrec(c.Prec).Quo(a, b)
}

// Call returns a function of x, such as [Exp].
func (c *Calculator) Call(f func(x *big.Float, prec uint) (*big.Float, error), x *big.Float) *big.Float {
	if c.Err != nil {
		return new(big.Float)
	}
	v, err := f(x, c.Prec)
	if err != nil {
		c.Err = err
		return new(big.Float)
	}
	return v
}

// Pow returns aᵇ.
func (c *Calculator) Pow(a, b *big.Float) *big.Float {
	return c.Call(func(x *big.Float, prec uint) (*big.Float, error) { return Pow(x, b, prec) }, a)
}

// PowInt returns aⁿ.
func (c *Calculator) PowInt(a *big.Float, n int) *big.Float {
	return c.Call(func(x *big.Float, prec uint) (*big.Float, error) { return PowInt(x, int64(n), prec) }, a)
}

// Dot returns ⟨x, y⟩.
func (c *Calculator) Dot(x, y []float64) *big.Float {
	sum := exact()
	for j := range x {
		sum = c.Add(sum, c.Mul(c.Of(x[j]), c.Of(y[j])))
	}
	return sum
}
