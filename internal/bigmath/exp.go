package bigmath

import (
	"fmt"
	"math"
	"math/big"
)

// halvings returns how often an argument below 1 is halved before its Taylor series:
// √p balances the number of terms and of doublings.
func (p precision) halvings() int { return int(math.Sqrt(float64(p))) }

// expLimit is the binary exponent of the largest arguments of exp: e^(2^19) is
// within MaxExponent.
const expLimit = 19

// Exp returns e^x. With n = round(x/ln 2) it is 2^n·e^(x − n·ln 2).
func Exp(x *big.Float, prec uint) (*big.Float, error) {
	if err := finite("exp", x); err != nil {
		return nil, err
	}
	size := x.MantExp(nil)
	if size > expLimit {
		if x.Signbit() {
			return precision(prec).of(), nil
		}
		return nil, fmt.Errorf("exp(%s): the result is too large", brief(x))
	}
	p := precision(prec + guard + uint(max(size, 0)))
	two := ln2.at(uint(p) + guard)
	n := nearest(p.quo(x, two))
	r := p.sub(x, p.mul(p.of().SetInt(n), two))
	e := p.add(expm1Small(r, p), p.int(1))
	return round(e.SetMantExp(e, int(n.Int64())), prec), nil
}

// Expm1 returns e^x − 1 without the cancellation of the subtraction near 0.
func Expm1(x *big.Float, prec uint) (*big.Float, error) {
	if x.MantExp(nil) <= -1 { // |x| < 1/2
		return round(expm1Small(x, precision(prec+guard)), prec), nil
	}
	e, err := Exp(x, prec+guard)
	if err != nil {
		return nil, fmt.Errorf("expm1: %w", err)
	}
	return round(e.Sub(e, big.NewFloat(1)), prec), nil
}

// expm1Small returns e^x − 1 for |x| < 1, from the Taylor series at x/2^k and
// e^(2t) − 1 = (e^t − 1)(e^t − 1 + 2), which loses no relative accuracy.
func expm1Small(x *big.Float, p precision) *big.Float {
	if x.Sign() == 0 {
		return p.of()
	}
	k := p.halvings()
	t := p.half(p.set(x), k)
	sum, term := p.set(t), p.set(t)
	for n := int64(2); !negligible(term, sum, p); n++ {
		term.Mul(term, t)
		term.Quo(term, p.int(n))
		sum.Add(sum, term)
	}
	two := p.int(2)
	for range k {
		sum.Mul(sum, p.add(sum, two))
	}
	return sum
}

// negligible reports whether adding a term no longer changes a sum of p bits.
func negligible(term, sum *big.Float, p precision) bool {
	return term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-int(p)-1
}

// Tanh returns (e^(2x) − 1)/(e^(2x) + 1).
func Tanh(x *big.Float, prec uint) (*big.Float, error) {
	if err := finite("tanh", x); err != nil {
		return nil, err
	}
	p := precision(prec + guard)
	if x.MantExp(nil) > 24 { // 1 − |tanh x| < e^(−2^24)
		one := precision(prec).int(1)
		if x.Signbit() {
			one.Neg(one)
		}
		return one, nil
	}
	e, err := Expm1(p.half(x, -1), uint(p))
	if err != nil {
		return nil, fmt.Errorf("tanh: %w", err)
	}
	return round(p.quo(e, p.add(e, p.int(2))), prec), nil
}
