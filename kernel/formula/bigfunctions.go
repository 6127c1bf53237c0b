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

func bigDot(x, y []float64, prec uint) *big.Float {
	sum, a, b := wide(prec), wide(prec), wide(prec)
	for i, v := range x {
		sum.Add(sum, a.Mul(a.SetFloat64(v), b.SetFloat64(y[i])))
	}
	return sum
}

func bigSqdist(x, y []float64, prec uint) *big.Float {
	sum, a, b := wide(prec), wide(prec), wide(prec)
	for i, v := range x {
		a.Sub(a.SetFloat64(v), b.SetFloat64(y[i]))
		sum.Add(sum, b.Mul(a, a))
	}
	return sum
}

func bigL1(x, y []float64, prec uint) *big.Float {
	sum, a, b := wide(prec), wide(prec), wide(prec)
	for i, v := range x {
		a.Sub(a.SetFloat64(v), b.SetFloat64(y[i]))
		sum.Add(sum, a.Abs(a))
	}
	return sum
}

func bigNorm(x, _ []float64, prec uint) *big.Float {
	s := bigDot(x, x, prec)
	return s.Sqrt(s)
}

func bigLength(x, _ []float64, prec uint) *big.Float {
	return wide(prec).SetInt64(int64(len(x)))
}
