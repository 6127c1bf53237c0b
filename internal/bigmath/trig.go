package bigmath

import (
	"fmt"
	"math/big"
)

// Sin returns the sine of x radians.
func Sin(x *big.Float, prec uint) (*big.Float, error) {
	sin, cos, quadrant, err := sinCos("sin", x, prec)
	if err != nil {
		return nil, err
	}
	y := sin
	if quadrant%2 == 1 {
		y = cos
	}
	if quadrant >= 2 {
		y.Neg(y)
	}
	return round(y, prec), nil
}

// Cos returns the cosine of x radians.
func Cos(x *big.Float, prec uint) (*big.Float, error) {
	sin, cos, quadrant, err := sinCos("cos", x, prec)
	if err != nil {
		return nil, err
	}
	y := cos
	if quadrant%2 == 1 {
		y = sin
	}
	if quadrant == 1 || quadrant == 2 {
		y.Neg(y)
	}
	return round(y, prec), nil
}

// Tan returns the tangent of x radians.
func Tan(x *big.Float, prec uint) (*big.Float, error) {
	sin, cos, quadrant, err := sinCos("tan", x, prec)
	if err != nil {
		return nil, err
	}
	if quadrant%2 == 1 { // tan(r + π/2) = −1/tan r; r ≠ 0 because x is rational
		sin, cos = cos.Neg(cos), sin
	}
	return round(sin.Quo(sin, cos), prec), nil
}

// sinCos returns the sine and cosine of r = x − n·π/2, |r| ≤ π/4, and n mod 4.
//
// From v = 1 − cos(r/2^k) by its Taylor series, 1 − cos(2t) = 2v(2 − v) doubles the
// angle, and sin r = ±√(v(2 − v)): no step cancels.
func sinCos(name string, x *big.Float, prec uint) (sin, cos *big.Float, quadrant int, err error) {
	if err := finite(name, x); err != nil {
		return nil, nil, 0, err
	}
	if x.MantExp(nil) > maxReduce {
		return nil, nil, 0, fmt.Errorf("%s(%s): the argument is too large to reduce by π", name, brief(x))
	}
	p := precision(prec + guard)
	r, quadrant := reduce(x, p)
	if r.Sign() == 0 {
		return p.of(), p.int(1), quadrant, nil
	}
	k := p.halvings()
	t := p.half(r, k)
	square := p.mul(t, t)
	term := p.half(square, 1)
	v := p.set(term)
	for n := int64(3); !negligible(term, v, p); n += 2 {
		term.Mul(term, square)
		term.Quo(term, p.int(-n*(n+1)))
		v.Add(v, term)
	}
	two := p.int(2)
	for range k {
		v = p.mul(p.half(v, -1), p.sub(two, v))
	}
	sin = p.of().Sqrt(p.mul(v, p.sub(two, v)))
	if r.Signbit() {
		sin.Neg(sin)
	}
	return sin, p.sub(p.int(1), v), quadrant, nil
}

// reduce returns r = x − n·π/2 with a relative error of about 2^−p, and n mod 4.
// Near a multiple of π/2 the subtraction is repeated with the bits it lost.
func reduce(x *big.Float, p precision) (*big.Float, int) {
	size := uint(max(x.MantExp(nil), 0))
	if x.Sign() == 0 || x.MantExp(nil) < 0 { // |x| < 1/2
		return p.set(x), 0
	}
	for lost := uint(0); ; {
		wide := precision(uint(p) + size + lost + guard)
		quarter := wide.half(pi.at(uint(wide)), 1)
		n := nearest(wide.quo(x, quarter))
		r := wide.sub(x, wide.mul(wide.of().SetInt(n), quarter))
		// Its absolute error is about 2^(size−wide); x is rational, so r ≠ 0 in truth.
		if r.Sign() != 0 && uint(max(-r.MantExp(nil), 0)) <= lost+guard/2 {
			return p.set(r), int(new(big.Int).And(n, big.NewInt(3)).Int64())
		}
		lost = 2*lost + uint(p)
	}
}
