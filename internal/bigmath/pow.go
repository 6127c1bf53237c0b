package bigmath

import (
	"fmt"
	"math/big"
)

// directPower is the largest exponent that Pow multiplies out.
const directPower = 1 << 12

// Sqrt returns the square root of x ≥ 0.
func Sqrt(x *big.Float, prec uint) (*big.Float, error) {
	if err := finite("sqrt", x); err != nil {
		return nil, err
	}
	if x.Sign() < 0 {
		return nil, fmt.Errorf("sqrt(%s): the argument must not be negative", brief(x))
	}
	p := precision(prec + guard)
	return round(p.of().Sqrt(x), prec), nil
}

// PowInt returns x^n by repeated squaring; 0^0 is 1 and 0^n an error for n < 0.
func PowInt(x *big.Float, n int64, prec uint) (*big.Float, error) {
	if err := finite("pow", x); err != nil {
		return nil, err
	}
	if x.Sign() == 0 && n < 0 {
		return nil, fmt.Errorf("pow(0, %d): division by zero", n)
	}
	p := precision(prec + guard + 64) // 64 bits: |n| < 2^63 roundings at most
	m := uint64(n)
	if n < 0 {
		m = -m
	}
	result, base := p.int(1), p.set(x)
	for ; m > 0; m >>= 1 {
		if m&1 == 1 {
			result.Mul(result, base)
		}
		if m > 1 && !base.IsInf() {
			base.Mul(base, base)
		}
	}
	if n < 0 {
		if result.Sign() == 0 {
			return nil, fmt.Errorf("pow(%s, %d): the result is too large", brief(x), n)
		}
		result.Quo(p.int(1), result)
	}
	z, ok := Ranged(result, prec)
	if !ok {
		return nil, fmt.Errorf("pow(%s, %d): the result is too large", brief(x), n)
	}
	return z, nil
}

// Pow returns x^y for x > 0 and any y, for x = 0 and y ≥ 0, and for x < 0 and an
// integer y.
func Pow(x, y *big.Float, prec uint) (*big.Float, error) {
	if err := finite("pow", x, y); err != nil {
		return nil, err
	}
	whole := y.IsInt()
	if n, acc := y.Int64(); whole && acc == big.Exact && -directPower <= n && n <= directPower {
		return PowInt(x, n, prec)
	}
	switch {
	case x.Sign() == 0 && y.Sign() > 0:
		return precision(prec).of(), nil
	case x.Sign() == 0:
		return nil, fmt.Errorf("pow(0, %s): division by zero", brief(y))
	case x.Sign() < 0 && !whole:
		return nil, fmt.Errorf("pow(%s, %s): a negative number has no real power that is not an integer", brief(x), brief(y))
	}
	// e^(y·log|x|): the absolute error of the exponent is the relative one of the result.
	size := max(y.MantExp(nil), 0) + 32 // |log x| < 2^32
	p := precision(prec + guard + uint(min(size, 4*guard)))
	l, err := Log(p.exact(x).Abs(x), uint(p))
	if err != nil {
		return nil, fmt.Errorf("pow: %w", err)
	}
	z, err := Exp(p.mul(l, y), prec+guard)
	if err != nil {
		return nil, fmt.Errorf("pow(%s, %s): %w", brief(x), brief(y), err)
	}
	if x.Sign() < 0 && odd(y) {
		z.Neg(z)
	}
	return round(z, prec), nil
}

// exact returns a copy of x with all its bits and at least p.
func (p precision) exact(x *big.Float) *big.Float {
	return new(big.Float).SetPrec(max(x.Prec(), uint(p))).Set(x)
}

// odd reports whether the integer y is odd.
func odd(y *big.Float) bool {
	n, _ := y.Int(nil)
	return n.Bit(0) == 1
}
