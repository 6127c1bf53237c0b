package bigmath

import (
	"math"
	"math/big"
)

// Erf returns (2/√π)∫₀ˣ e^(−t²) dt = (2/√π) e^(−x²) Σ 2ⁿx^(2n+1)/(1·3·5⋯(2n+1)), a series whose
// terms have one sign, so that no digits cancel (Abramowitz and Stegun 7.1.6).
func Erf(x *big.Float, prec uint) (*big.Float, error) {
	if err := finite("erf", x); err != nil {
		return nil, err
	}
	if x.Sign() == 0 {
		return precision(prec).of(), nil
	}
	p := precision(prec + guard)
	near, _ := x.Float64()
	if near*near > float64(p)*math.Ln2 { // 1 − |erf x| < e^(−x²)
		one := precision(prec).int(1)
		if x.Signbit() {
			one.Neg(one)
		}
		return one, nil
	}
	square := p.mul(x, x)
	twice := p.half(square, -1)
	term, sum := p.set(x), p.set(x)
	for n := int64(1); !negligible(term, sum, p); n++ {
		term.Mul(term, twice)
		term.Quo(term, p.int(2*n+1))
		sum.Add(sum, term)
	}
	decay, err := Exp(square.Neg(square), uint(p))
	if err != nil {
		return nil, err
	}
	root := p.of().Sqrt(Pi(uint(p)))
	return round(p.quo(p.half(p.mul(decay, sum), -1), root), prec), nil
}
