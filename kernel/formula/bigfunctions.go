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

// exactBits is enough for sums and products of two float64 to have no rounding: these
// span at most 4300 bits. Numbers that need fewer take no more memory.
const exactBits = 8192

// bigSum adds up term(xⱼ, yⱼ) exactly.
func bigSum(x, y []float64, term func(dst, a, b *big.Float)) *big.Float {
	sum, a, b, t := wide(exactBits), wide(exactBits), wide(exactBits), wide(exactBits)
	for i, v := range x {
		term(t, a.SetFloat64(v), b.SetFloat64(y[i]))
		sum.Add(sum, t)
	}
	return sum
}

func bigDot(x, y []float64) *big.Float {
	return bigSum(x, y, func(dst, a, b *big.Float) { dst.Mul(a, b) })
}

func bigL1(x, y []float64) *big.Float {
	return bigSum(x, y, func(dst, a, b *big.Float) { dst.Abs(a.Sub(a, b)) })
}

func bigSqdist(x, y []float64) *big.Float {
	return bigSum(x, y, func(dst, a, b *big.Float) { a.Sub(a, b); dst.Mul(a, a) })
}

func bigSquare(x, _ []float64) *big.Float { return bigDot(x, x) }

func bigLength(x, _ []float64) *big.Float { return wide(64).SetInt64(int64(len(x))) }
