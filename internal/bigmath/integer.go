package bigmath

import (
	"fmt"
	"math/big"
)

// maxInteger is the largest binary exponent of an integer argument of gcd and lcm.
const maxInteger = 1 << 14

// Gcd returns the greatest common divisor of |x| and |y|; gcd(0, 0) = 0. Both must
// be integers.
func Gcd(x, y *big.Float, prec uint) (*big.Float, error) {
	a, b, err := integers("gcd", x, y)
	if err != nil {
		return nil, err
	}
	return precision(prec).of().SetInt(a.GCD(nil, nil, a, b)), nil
}

// Lcm returns the least common multiple of |x| and |y|, 0 where one of them is 0.
// Both must be integers.
func Lcm(x, y *big.Float, prec uint) (*big.Float, error) {
	a, b, err := integers("lcm", x, y)
	if err != nil {
		return nil, err
	}
	if a.Sign() == 0 || b.Sign() == 0 {
		return precision(prec).of(), nil
	}
	g := new(big.Int).GCD(nil, nil, a, b)
	return precision(prec).of().SetInt(a.Mul(a.Quo(a, g), b)), nil
}

// integers returns |x| and |y|.
func integers(name string, x, y *big.Float) (a, b *big.Int, err error) {
	for _, v := range []*big.Float{x, y} {
		if !v.IsInt() {
			return nil, nil, fmt.Errorf("%s(%s, %s): %s is not an integer", name, brief(x), brief(y), brief(v))
		}
		if v.MantExp(nil) > maxInteger {
			return nil, nil, fmt.Errorf("%s(%s, %s): %s is too large", name, brief(x), brief(y), brief(v))
		}
	}
	a, _ = x.Int(nil)
	b, _ = y.Int(nil)
	return a.Abs(a), b.Abs(b), nil
}
