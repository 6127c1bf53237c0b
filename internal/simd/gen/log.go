package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// log(x) = k·ln 2 + log(1+f) with x = 2^k·(1+f), √½ ≤ 1+f < √2. With s = f/(2+f) and
// z = s², log(1+f) = 2·artanh(s) = f − (f²/2 − s·(f²/2 + z·P(z))), where P of degree 6
// agrees with (2·artanh(s)/s − 2)/z at the seven Chebyshev points of 0 ≤ z ≤ 0.0295,
// computed in exact arithmetic and rounded. Its error is below 9.5·10⁻¹⁸ of s.
var logPolynomial = []float64{
	0x1.2b5f68a50d903p-3, 0x1.39fdcceb4bb45p-3, 0x1.7462b91b8df65p-3, 0x1.c71c62d5e53e0p-3,
	0x1.2492492dfd86cp-2, 0x1.9999999995273p-2, 0x1.5555555555558p-1,
}

// The other constants of logarithms, some of which are bits of integers.
const (
	logSmallest = iota // normal number
	logLift            // 2⁵⁴, which makes subnormal numbers normal
	logLifted          // 54
	logOffset          // bits of 1 less bits of √½: carries into the exponent from √½ on
	logExponent        // mask of the exponent
	logOneBits         // bits of 1
	logShifted         // bits of 2⁵²
	logBias            // 2⁵² + 1023
	logLn2             // the first 32 bits of ln 2, whose products with k are exact
	logLn2Low          // and the rest
	logHalf
	logOne
	logTwo
	logInfinity
	logMinusInfinity
	logNaN
	logP // from the highest coefficient to the lowest
)

var logConstants = append([]float64{
	0x1p-1022, 0x1p54, 54,
	math.Float64frombits(math.Float64bits(1) - math.Float64bits(math.Sqrt2/2)),
	math.Float64frombits(0x7ff << 52), 1, 0x1p52, 0x1p52 + 1023,
	0x1.62e42feep-1, 0x1.a39ef35793c76p-33, 0.5, 1, 2, math.Inf(1), math.Inf(-1), math.NaN(),
}, logPolynomial...)

// logarithms writes the loops of log(scale·x) and log(1 + scale·x).
func logarithms() {
	table := avx2.constant("log", logConstants...)
	for _, m := range doubles {
		m.beginElementwise("log", "log(scale·x[i])")
		m.elementwise(1, func(x []reg.VecVirtual) []reg.VecVirtual { return []reg.VecVirtual{m.log(x[0], table)} })
		m.beginElementwise("log1p", "log(1 + scale·x[i]), scale·x[i] ≥ 0,")
		m.elementwise(1, func(x []reg.VecVirtual) []reg.VecVirtual { return []reg.VecVirtual{m.log1p(x[0], table)} })
	}
}

// fetch returns a register with constant number i of a table.
func (m isa) fetch(table Mem, i int) reg.VecVirtual {
	r := m.register()
	m.do(broadcast, table.Offset(32*i), r)
	return r
}

// Predicates of comparisons that raise no exception.
const (
	equal        = 0  // false for NaN
	less         = 17 // false for NaN
	notLess      = 21 // true for NaN
	lessOrEqualQ = 18
)

// choose copies to dst the lanes of from where x is in the relation to y.
func (m isa) choose(relation uint8, x, y, from, dst reg.VecVirtual) {
	if m.wide() {
		k := K()
		VCMPPD(Imm(uint64(relation)), y, x, k)
		VMOVAPD(from, k, dst)
		return
	}
	mask := m.register()
	VCMPPD(Imm(uint64(relation)), y, x, mask)
	VBLENDVPD(mask, from, dst, dst)
}

// log returns the logarithms of x, which it leaves as it is.
func (m isa) log(x reg.VecVirtual, table Mem) reg.VecVirtual {
	zero, v, lifted, down := m.register(), m.register(), m.register(), m.register()
	m.zero(zero)
	VMOVAPD(x, v)
	m.zero(down)
	smallest := m.fetch(table, logSmallest)
	m.do(mul, m.fetch(table, logLift), x, lifted)
	m.choose(less, x, smallest, lifted, v)
	m.choose(less, x, smallest, m.fetch(table, logLifted), down)

	k, exponent := m.register(), m.register()
	VPADDQ(m.fetch(table, logOffset), v, k)
	m.and(m.fetch(table, logExponent), k, exponent)
	VPSRLQ(Imm(52), k, k)
	VPADDQ(m.fetch(table, logShifted), k, k)
	m.do(sub, m.fetch(table, logBias), k, k)
	m.do(sub, down, k, k)
	VPSUBQ(exponent, v, v) // 2^k·(1+f) becomes 1+f
	VPADDQ(m.fetch(table, logOneBits), v, v)

	f, s, z, p, half := m.register(), m.register(), m.register(), m.register(), m.register()
	m.do(sub, m.fetch(table, logOne), v, f)
	m.do(add, m.fetch(table, logTwo), f, s)
	m.do(div, s, f, s)
	m.do(mul, s, s, z)
	VMOVAPD(m.fetch(table, logP), p)
	for i := 1; i < len(logPolynomial); i++ {
		m.do(fma213, m.fetch(table, logP+i), z, p)
	}
	m.do(mul, f, f, half)
	m.do(mul, m.fetch(table, logHalf), half, half)
	m.do(fma213, half, z, p)                      // f²/2 + z·P(z)
	m.do(mul, s, p, p)                            // s times that
	m.do(fma231, m.fetch(table, logLn2Low), k, p) // and the low part of k·ln 2
	m.do(sub, p, half, half)                      // f²/2 − …
	m.do(sub, f, half, half)                      // … − f
	result := m.register()
	m.do(mul, m.fetch(table, logLn2), k, result)
	m.do(sub, half, result, result)

	infinity := m.fetch(table, logInfinity)
	m.choose(notLess, x, infinity, x, result) // +Inf and NaN
	m.choose(less, x, zero, m.fetch(table, logNaN), result)
	m.choose(equal, x, zero, m.fetch(table, logMinusInfinity), result)
	return result
}

// log1p returns log(1+x) for x ≥ 0: of u = 1 + x, rounded, plus what the rounding left
// off, (x − (u−1))/u.
func (m isa) log1p(x reg.VecVirtual, table Mem) reg.VecVirtual {
	u, rest := m.register(), m.register()
	m.do(add, m.fetch(table, logOne), x, u)
	m.do(sub, m.fetch(table, logOne), u, rest)
	m.do(sub, rest, x, rest)
	m.do(div, u, rest, rest)
	result := m.log(u, table)
	m.do(add, rest, result, result)
	m.choose(notLess, x, m.fetch(table, logInfinity), x, result) // +Inf and NaN
	return result
}
