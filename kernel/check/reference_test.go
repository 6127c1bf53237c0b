package check

import (
	"math/big"

	"example.org/mercer/internal/bigmath"
)

// The functions of the quiz once more, by definitions that share no code with package
// formula: witnesses are evaluated with these.

// rational is k(x, y) in exact rational arithmetic.
type rational func(x, y *big.Rat) *big.Rat

// real200 is k(x, y) at 300 bits, written again with package bigmath.
type real200 func(x, y *big.Float) (*big.Float, error)

// vector300 is k(x, y) on points of several coordinates at 300 bits.
type vector300 func(x, y []float64) (*big.Float, error)

func rat(v float64) *big.Rat       { return new(big.Rat).SetFloat64(v) }
func real300(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }

func ratMax(x, y *big.Rat) *big.Rat {
	if x.Cmp(y) > 0 {
		return new(big.Rat).Set(x)
	}
	return new(big.Rat).Set(y)
}

func ratMin(x, y *big.Rat) *big.Rat {
	if x.Cmp(y) < 0 {
		return new(big.Rat).Set(x)
	}
	return new(big.Rat).Set(y)
}

func ratGcd(x, y *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).GCD(nil, nil, new(big.Int).Abs(x.Num()), new(big.Int).Abs(y.Num())))
}

func ratLcm(x, y *big.Rat) *big.Rat {
	p := new(big.Rat).Mul(x, y)
	return p.Quo(p, ratGcd(x, y))
}

func ratDistance(x, y *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(x, y)
	return d.Abs(d)
}

func ratMinusOne(x, y *big.Rat) *big.Rat {
	p := new(big.Rat).Mul(x, y)
	return p.Sub(p, rat(1))
}

func ratNegativeSquare(x, y *big.Rat) *big.Rat {
	d := new(big.Rat).Sub(x, y)
	return d.Neg(d.Mul(d, d))
}

func ratSum(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) }

func ratInverse(x, y *big.Rat) *big.Rat {
	p := new(big.Rat).Mul(x, y)
	return p.Inv(p.Add(p, rat(1)))
}

func ratGeometric(x, y *big.Rat) *big.Rat {
	p := new(big.Rat).Mul(x, y)
	return p.Inv(p.Sub(rat(1), p))
}

func ratEpanechnikov(x, y *big.Rat) *big.Rat {
	return ratMax(new(big.Rat), new(big.Rat).Add(rat(1), ratNegativeSquare(x, y)))
}

func logOnePlus(x, y *big.Float) (*big.Float, error) {
	p := new(big.Float).SetPrec(300).Mul(x, y)
	return bigmath.Log(p.Add(p, real300(1)), 300)
}

func cosSum(x, y *big.Float) (*big.Float, error) {
	return bigmath.Cos(new(big.Float).SetPrec(300).Add(x, y), 300)
}

func tanhProduct(offset float64) real200 {
	return func(x, y *big.Float) (*big.Float, error) {
		p := new(big.Float).SetPrec(300).Mul(x, y)
		return bigmath.Tanh(p.Add(p, real300(offset)), 300)
	}
}

func expPower(x, y *big.Float) (*big.Float, error) {
	d := new(big.Float).SetPrec(300).Sub(x, y)
	p, err := bigmath.PowInt(d.Abs(d), 3, 300)
	if err != nil {
		return nil, err
	}
	return bigmath.Exp(p.Neg(p), 300)
}

func root(x, y *big.Float) (*big.Float, error) {
	p := new(big.Float).SetPrec(300).Mul(x, y)
	return bigmath.Sqrt(p.Add(p, real300(1)), 300)
}

func ratQuartic(x, y *big.Rat) *big.Rat {
	q := ratNegativeSquare(x, y)
	return q.Inv(q.Add(q.Mul(q, q), rat(1)))
}

func expPowerNear2(x, y []float64) (*big.Float, error) {
	p, err := bigmath.Pow(distances(x, y)[0], big.NewFloat(2.0001), 300)
	if err != nil {
		return nil, err
	}
	return bigmath.Exp(p.Neg(p), 300)
}

func expL1Squared(x, y []float64) (*big.Float, error) {
	sum := real300(0)
	for _, d := range distances(x, y) {
		sum.Add(sum, d)
	}
	return bigmath.Exp(sum.Neg(sum.Mul(sum, sum)), 300)
}

func cone(x, y []float64) (*big.Float, error) {
	sum := real300(0)
	for _, d := range distances(x, y) {
		sum.Add(sum, d.Mul(d, d))
	}
	r, err := bigmath.Sqrt(sum, 300)
	if err != nil || r.Cmp(real300(1)) > 0 {
		return real300(0), err
	}
	return r.Sub(real300(1), r), nil
}

func expSup(x, y []float64) (*big.Float, error) {
	top := real300(0)
	for _, d := range distances(x, y) {
		if d.Cmp(top) > 0 {
			top = d
		}
	}
	return bigmath.Exp(top.Neg(top), 300)
}

// distances returns |xⱼ − yⱼ|.
func distances(x, y []float64) []*big.Float {
	out := make([]*big.Float, len(x))
	for j := range x {
		d := real300(0).Sub(real300(x[j]), real300(y[j]))
		out[j] = d.Abs(d)
	}
	return out
}
