package bigmath

import (
	"fmt"
	"math"
	"math/big"
)

// nearOne is the binary exponent of |m − 1| below which log m is summed directly.
const nearOne = -20

// Log returns the natural logarithm of x > 0.
//
// With x = m·2^e, m ∈ [√½, √2), it is e·ln 2 + log m, two terms that cannot cancel.
func Log(x *big.Float, prec uint) (*big.Float, error) {
	if err := finite("log", x); err != nil {
		return nil, err
	}
	if x.Sign() <= 0 {
		return nil, fmt.Errorf("log(%s): the argument must be positive", brief(x))
	}
	p := precision(prec + 2*guard)
	m := new(big.Float).SetPrec(max(x.Prec(), uint(p)))
	e := x.MantExp(m)
	if f, _ := m.Float64(); f < math.Sqrt2/2 {
		m.SetMantExp(m, 1)
		e--
	}
	y := logNear(m, p)
	if e != 0 {
		y.Add(y, p.mul(p.int(int64(e)), ln2.at(uint(p))))
	}
	return round(y, prec), nil
}

// logNear returns log m for m ∈ [√½, √2): close to 1 by its series, elsewhere as
// y₀ + log(m·e^(−y₀)) with y₀ the float64 logarithm, so that a second series
// starts from |z| < 2^−52.
func logNear(m *big.Float, p precision) *big.Float {
	d := new(big.Float).SetPrec(m.Prec()+2).Sub(m, big.NewFloat(1)) // exact: m < 2
	if d.Sign() == 0 || d.MantExp(nil) < nearOne {
		return log1pSeries(d, p)
	}
	f, _ := m.Float64()
	y0 := big.NewFloat(math.Log(f))
	e := p.add(expm1Small(p.of().Neg(y0), p), p.int(1))
	d = p.sub(p.mul(m, e), p.int(1))
	return p.add(y0, log1pSeries(d, p))
}

// log1pSeries returns log(1+d) = 2·artanh(d/(2+d)) for small |d|.
func log1pSeries(d *big.Float, p precision) *big.Float {
	if d.Sign() == 0 {
		return p.of()
	}
	z := p.quo(d, p.add(d, p.int(2)))
	square, power, sum := p.mul(z, z), p.set(z), p.set(z)
	for k := int64(3); ; k += 2 {
		power.Mul(power, square)
		term := p.quo(power, p.int(k))
		if negligible(term, sum, p) {
			return p.half(sum, -1)
		}
		sum.Add(sum, term)
	}
}

// Log1p returns log(1+x) for x > −1 without the cancellation near 0.
func Log1p(x *big.Float, prec uint) (*big.Float, error) {
	if x.Sign() == 0 || x.MantExp(nil) < nearOne {
		return round(log1pSeries(x, precision(prec+guard)), prec), nil
	}
	// The exponent of x is at least −20 and the sum needs no more than 20 bits
	// above those of x, unless x is so large that 1 no longer matters.
	p := precision(max(x.Prec(), prec) + guard)
	y, err := Log(p.add(x, p.int(1)), prec)
	if err != nil {
		return nil, fmt.Errorf("log1p(%s): %w", brief(x), err)
	}
	return y, nil
}

// Log2 returns the logarithm of x > 0 to base 2, exact at powers of two.
func Log2(x *big.Float, prec uint) (*big.Float, error) {
	if x.Sign() > 0 && !x.IsInf() && x.MinPrec() == 1 {
		return precision(prec).int(int64(x.MantExp(nil) - 1)), nil
	}
	y, err := Log(x, prec+guard)
	if err != nil {
		return nil, fmt.Errorf("log2: %w", err)
	}
	return round(y.Quo(y, ln2.at(prec+guard)), prec), nil
}
