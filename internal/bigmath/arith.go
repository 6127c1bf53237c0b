package bigmath

import (
	"fmt"
	"math/big"
)

// guard is the number of extra bits that absorb the rounding of a few dozen
// operations and the doublings of a reconstruction.
const guard = 48

// maxReduce is the largest binary exponent of an argument that sin and cos reduce:
// more than any product of two float64 needs, small enough to stay fast.
const maxReduce = 1 << 13

// precision makes fresh numbers of that many bits.
type precision uint

func (p precision) of() *big.Float                 { return new(big.Float).SetPrec(uint(p)) }
func (p precision) set(x *big.Float) *big.Float    { return p.of().Set(x) }
func (p precision) int(n int64) *big.Float         { return p.of().SetInt64(n) }
func (p precision) add(x, y *big.Float) *big.Float { return p.of().Add(x, y) }
func (p precision) sub(x, y *big.Float) *big.Float { return p.of().Sub(x, y) }
func (p precision) mul(x, y *big.Float) *big.Float { return p.of().Mul(x, y) }
func (p precision) quo(x, y *big.Float) *big.Float { return p.of().Quo(x, y) }

// half returns x·2^−k.
func (p precision) half(x *big.Float, k int) *big.Float { return p.of().SetMantExp(x, -k) }

// round returns x rounded to prec bits.
func round(x *big.Float, prec uint) *big.Float { return precision(prec).set(x) }

// nearest returns the integer nearest to x.
func nearest(x *big.Float) *big.Int {
	half := big.NewFloat(0.5)
	if x.Signbit() {
		half.Neg(half)
	}
	wide := uint(max(x.MantExp(nil), 0)) + x.Prec() + 2
	n, _ := precision(wide).add(x, half).Int(nil)
	return n
}

// finite returns an error for an infinite argument of the named function.
func finite(name string, xs ...*big.Float) error {
	for _, x := range xs {
		if x.IsInf() {
			return fmt.Errorf("%s(%s): the argument is not finite", name, brief(x))
		}
	}
	return nil
}

// MaxExponent bounds the binary exponents of results. A big.Float can hold larger
// ones, but adding two numbers shifts one of them by the difference.
const MaxExponent = 1 << 20

// Ranged rounds a result to prec bits. It is 0 where its exponent is below
// −MaxExponent, and false is returned where it is above.
func Ranged(x *big.Float, prec uint) (*big.Float, bool) {
	switch e := x.MantExp(nil); {
	case x.IsInf() || e > MaxExponent:
		return nil, false
	case e < -MaxExponent:
		return precision(prec).of(), true
	}
	return round(x, prec), true
}

// brief prints x with 6 digits, or as a power of two where the decimal form of a
// huge exponent would take long.
func brief(x *big.Float) string {
	if e := x.MantExp(nil); e > maxReduce || e < -maxReduce {
		return x.Text('p', 6)
	}
	return x.Text('g', 6)
}
