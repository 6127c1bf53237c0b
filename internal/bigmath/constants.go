package bigmath

import (
	"math/big"
	"sync"
)

// constant computes a constant once and keeps the most precise value asked for.
type constant struct {
	compute func(prec uint) *big.Float
	mu      sync.Mutex
	value   *big.Float
}

// at returns the constant with at least prec bits. The caller must not change it.
func (c *constant) at(prec uint) *big.Float {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.value == nil || c.value.Prec() < prec {
		c.value = c.compute(prec)
	}
	return c.value
}

var (
	pi  = constant{compute: machin}
	ln2 = constant{compute: logTwo}
)

// Pi returns π.
func Pi(prec uint) *big.Float { return round(pi.at(prec+guard), prec) }

// machin is π = 16 arctan(1/5) − 4 arctan(1/239).
func machin(prec uint) *big.Float {
	wide := prec + guard
	sum := new(big.Int).Mul(big.NewInt(16), inverseArc(5, wide, true))
	sum.Sub(sum, new(big.Int).Mul(big.NewInt(4), inverseArc(239, wide, true)))
	return fixed(sum, wide, prec)
}

// logTwo is ln 2 = 18 artanh(1/26) − 2 artanh(1/4801) + 8 artanh(1/8749).
func logTwo(prec uint) *big.Float {
	wide := prec + guard
	sum := new(big.Int).Mul(big.NewInt(18), inverseArc(26, wide, false))
	sum.Sub(sum, new(big.Int).Mul(big.NewInt(2), inverseArc(4801, wide, false)))
	sum.Add(sum, new(big.Int).Mul(big.NewInt(8), inverseArc(8749, wide, false)))
	return fixed(sum, wide, prec)
}

// inverseArc returns 2^bits·arctan(1/q) (alternating) or 2^bits·artanh(1/q).
func inverseArc(q int64, bits uint, alternating bool) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(1), bits)
	power.Quo(power, big.NewInt(q))
	square, sum, term := big.NewInt(q*q), new(big.Int), new(big.Int)
	for k := int64(0); power.Sign() != 0; k++ {
		term.Quo(power, big.NewInt(2*k+1))
		if alternating && k%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
		power.Quo(power, square)
	}
	return sum
}

// fixed returns n·2^−bits.
func fixed(n *big.Int, bits, prec uint) *big.Float {
	x := precision(prec).of().SetInt(n)
	return x.SetMantExp(x, -int(bits))
}
