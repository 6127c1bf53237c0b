package formula

import (
	"math/big"
)

func bigAbs(a *big.Float, prec uint) (*big.Float, error) {
	return wide(prec).Abs(a), nil
}

func bigSign(a *big.Float, prec uint) (*big.Float, error) {
	return wide(prec).SetInt64(int64(a.Sign())), nil
}

func bigFloor(a *big.Float, prec uint) (*big.Float, error) {
	if a.MantExp(nil) > int(prec) { // an integer already
		return wide(prec).Set(a), nil
	}
	n, _ := a.Int(nil)
	if a.Signbit() && !a.IsInt() {
		n.Sub(n, big.NewInt(1))
	}
	return wide(prec).SetInt(n), nil
}

// wide returns a zero of prec bits.
func wide(prec uint) *big.Float { return new(big.Float).SetPrec(prec) }

// bigSum adds up term(xⱼ, yⱼ); exact reports that nothing was rounded.
func bigSum(x, y []float64, prec uint, term func(dst, a, b *big.Float)) (sum *big.Float, exact bool) {
	sum, exact = wide(prec), true
	a, b, t := wide(prec), wide(prec), wide(prec)
	for i, v := range x {
		term(t, a.SetFloat64(v), b.SetFloat64(y[i]))
		exact = exact && t.Acc() == big.Exact
		sum.Add(sum, t)
		exact = exact && sum.Acc() == big.Exact
	}
	return sum, exact
}

func bigDot(x, y []float64, prec uint) (*big.Float, bool) {
	return bigSum(x, y, prec, func(dst, a, b *big.Float) { dst.Mul(a, b) })
}

func bigL1(x, y []float64, prec uint) (*big.Float, bool) {
	return bigSum(x, y, prec, func(dst, a, b *big.Float) {
		if a.Cmp(b) < 0 {
			a, b = b, a
		}
		dst.Sub(a, b)
	})
}

func bigSqdist(x, y []float64, prec uint) (*big.Float, bool) {
	rounded := false
	sum, exact := bigSum(x, y, prec, func(dst, a, b *big.Float) {
		a.Sub(a, b)
		rounded = rounded || a.Acc() != big.Exact
		dst.Mul(a, a)
	})
	return sum, exact && !rounded
}

func bigNorm(x, _ []float64, prec uint) (*big.Float, bool) {
	s, exact := bigDot(x, x, prec)
	r := wide(prec).Sqrt(s)
	return r, exact && isSquare(s, r)
}

// isSquare reports whether r² = s without rounding.
func isSquare(s, r *big.Float) bool {
	return r.Sign() == 0 || wide(2*r.MinPrec()+1).Mul(r, r).Cmp(s) == 0
}

func bigLength(x, _ []float64, prec uint) (*big.Float, bool) {
	return wide(prec).SetInt64(int64(len(x))), true
}
