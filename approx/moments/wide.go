package moments

import (
	"math"
	"math/bits"
)

// wide is an integer of 128 bits in two's complement, high·2⁶⁴ + low.
type wide struct {
	high int64
	low  uint64
}

// add returns a + b, modulo 2¹²⁸.
func (a wide) add(b wide) wide {
	low, carry := bits.Add64(a.low, b.low, 0)
	return wide{a.high + b.high + int64(carry), low}
}

// negative returns −a.
func (a wide) negative() wide {
	low, borrow := bits.Sub64(0, a.low, 0)
	return wide{-a.high - int64(borrow), low}
}

// shifted returns v·2^by, by < 128.
func shifted(v int64, by uint) wide {
	switch {
	case by == 0:
		return wide{v >> 63, uint64(v)}
	case by < 64:
		return wide{v >> (64 - by), uint64(v) << by}
	}
	return wide{v << (by - 64), 0}
}

// double is a number high + low with |low| at most half a unit in the last place of high.
type double struct{ high, low float64 }

// double returns a to 2⁻¹⁰⁴ of itself.
func (a wide) double() double {
	const part = 1<<11 - 1 // what a float64 does not hold of 64 bits
	h := float64(a.high &^ part)
	d := sum(h*0x1p64, float64(a.high&part)*0x1p64)
	d = d.add(sum(float64(a.low&^uint64(part)), float64(a.low&part)))
	return d
}

// sum returns a + b exactly (Knuth's TwoSum).
func sum(a, b float64) double {
	s := a + b
	t := s - a
	return double{s, (a - (s - t)) + (b - t)}
}

// product returns a·b exactly, short of underflow.
func product(a, b float64) double {
	p := a * b
	return double{p, math.FMA(a, b, -p)}
}

// add returns x + y to 2⁻¹⁰⁴ of |x| + |y|.
func (x double) add(y double) double {
	s, t := sum(x.high, y.high), sum(x.low, y.low)
	s = sum(s.high, s.low+t.high)
	return sum(s.high, s.low+t.low)
}

// negative returns −x.
func (x double) negative() double { return double{-x.high, -x.low} }

// times returns x·y to 2⁻¹⁰⁰ of itself.
func (x double) times(y double) double {
	p := product(x.high, y.high)
	return sum(p.high, p.low+(x.high*y.low+x.low*y.high))
}

// over returns x/y to 2⁻¹⁰⁰ of itself.
func (x double) over(y double) double {
	q := x.high / y.high
	rest := x.add(y.times(double{q, 0}).negative())
	return sum(q, rest.high/y.high)
}
