package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The constants of exp(x) = 2^k·exp(r), k = round(x/ln 2), r = x − k·ln 2. Every
// argument is first clamped to the range beyond which the result is 0 or +Inf.
type expTable struct {
	low, high, log2e, ln2, ln2Low Op // ln 2 in two parts
	one                           Op
	q                             []Op // from the highest coefficient to the lowest
}

// exp(r) = 1 + r(1 + r·Q(r)) with Q of degree 9: the polynomial that agrees with
// (exp(r)−1−r)/r² at the ten Chebyshev points of |r| ≤ 1.0005·ln2/2, computed in exact
// arithmetic and rounded. Its relative error is below 1.7·10⁻¹⁷, 0.15·2⁻⁵³.
var expConstants = []float64{
	-746, 710, math.Log2E, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 1,
	0x1.af38d53857513p-26, 0x1.2891a8c1d838dp-22, 0x1.71de0d9c145d0p-19, 0x1.a019b8ef67c6cp-16,
	0x1.a01a01a7c8d47p-13, 0x1.6c16c17893833p-10, 0x1.11111111109adp-7, 0x1.5555555553d4fp-5,
	0x1.5555555555556p-3, 0x1.0000000000001p-1,
}

// Q of degree 4 for float32, likewise. Its relative error is below 1.1·10⁻⁸, 0.18·2⁻²⁴.
var expConstants32 = []float64{
	-104, 89, math.Log2E, 0x1.62e43p-1, -0x1.05c61p-29, 1,
	0x1.6d113cp-10, 0x1.120ba2p-7, 0x1.55551ap-5, 0x1.5554dcp-3, 0x1p-1,
}

func exponential() {
	exponentials(doubles, expConstants)
	exponentials(singles, expConstants32)
}

func exponentials(machines []isa, constants []float64) {
	m := machines[0]
	table := m.constant("exp"+m.number(), constants...)
	bias := GLOBL("bias"+m.number(), RODATA|NOPTR)
	for j := range 32 / m.size() {
		if m.single {
			DATA(4*j, U32(127))
		} else {
			DATA(8*j, U64(1023))
		}
	}
	for _, m := range machines {
		if m.wide() && !m.single {
			m.wideExponentials()
		} else {
			m.exponentials(table, bias, len(constants))
		}
	}
}

// exponentials writes the loop, four registers at a time (two for AVX2).
func (m isa) exponentials(table, bias Mem, count int) {
	m.beginElementwise("exp", "exp(scale·x[i])")
	c := m.expTable(table, count)
	unroll := 4
	if !m.wide() {
		unroll = 2
	}
	m.elementwise(unroll, func(x []reg.VecVirtual) []reg.VecVirtual { return m.exp(x, c, bias) })
}

// expTable names the constants.
func (m isa) expTable(table Mem, count int) expTable {
	c := m.constants(table, count)
	return expTable{low: c[0], high: c[1], log2e: c[2], ln2: c[3], ln2Low: c[4], one: c[5], q: c[6:]}
}

// exp returns the exponentials of several registers, which it overwrites.
func (m isa) exp(r []reg.VecVirtual, c expTable, bias Mem) []reg.VecVirtual {
	k, q := make([]reg.VecVirtual, len(r)), make([]reg.VecVirtual, len(r))
	for i := range r {
		k[i], q[i] = m.register(), m.register()
		// The limit is the first source and x the second, which a comparison with NaN
		// returns.
		limit := m.inRegister(c.low)
		m.do(most, r[i], limit, r[i])
		limit = m.inRegister(c.high)
		m.do(least, r[i], limit, r[i])
		m.do(mul, c.log2e, r[i], k[i])
		m.toInteger(k[i], k[i])
		m.do(fnma231, c.ln2, k[i], r[i])
		m.do(fnma231, c.ln2Low, k[i], r[i])
		m.do(load, c.q[0], q[i])
	}
	for _, coefficient := range append(c.q[1:len(c.q):len(c.q)], c.one, c.one) {
		for i := range r {
			m.do(fma213, coefficient, r[i], q[i])
		}
	}
	for i := range r {
		m.scale2(q[i], k[i], bias)
	}
	return q
}

// scale2 multiplies q by 2^k, rounding once where the result is subnormal: AVX2 does
// it in two steps of half the exponent, of which the first is exact.
func (m isa) scale2(q, k reg.VecVirtual, bias Mem) {
	switch {
	case m.wide():
		m.do(scalef, k, q, q)
	case m.single:
		whole, half := YMM(), YMM()
		VCVTPS2DQ(k, whole)
		VPSRAD(Imm(1), whole, half)
		VPSUBD(half, whole, whole)
		for _, part := range []reg.VecVirtual{half, whole} {
			VPADDD(bias, part, part)
			VPSLLD(Imm(23), part, part)
			VMULPS(part, q, q)
		}
	default:
		whole, half := XMM(), XMM()
		VCVTPD2DQY(k, whole)
		VPSRAD(Imm(1), whole, half)
		VPSUBD(half, whole, whole)
		for _, part := range []reg.VecVirtual{half, whole} {
			power := YMM()
			VPMOVSXDQ(part, power)
			VPADDQ(bias, power, power)
			VPSLLQ(Imm(52), power, power)
			VMULPD(power, q, q)
		}
	}
}

// sixteenths are the constants of exp(x) = 2^(k/16)·exp(r), k = round(16x/ln 2), |r| ≤ ln2/32, for
// float64 and AVX-512, whose registers hold a table of 2^(j/16): exp(r) = 1 + r + r²·Q(r) with Q
// of degree 4, made like that above. Its relative error is below 2.9·10⁻¹⁷, 0.26·2⁻⁵³. The sum of
// x/ln 2 and 1.5·2⁴⁸ has k in its last bits, the last four of which name the entry (Tang, ACM TOMS
// 15, 1989).
type sixteenths struct {
	low, high, log2e, magic, ln2, ln2Low Op   // as in expTable
	q                                    []Op // from the highest coefficient to the lowest
	entries                              [2]Op
}

var sixteenthsConstants = append(expConstants[:3:3], 0x3p47, expConstants[3], expConstants[4],
	0x1.6c17bb91efb39p-10, 0x1.11120b36ff666p-7, 0x1.55555555192e5p-5, 0x1.55555554dd075p-3, 0x1p-1)

// sixteenths writes the constants, and returns where they are.
func (m isa) sixteenths() *sixteenths {
	table, c := GLOBL("sixteenths", RODATA|NOPTR), make([]Op, len(sixteenthsConstants))
	for i, v := range sixteenthsConstants {
		c[i] = table.Offset(i * m.bytes)
		for j := range m.lanes() {
			DATA(i*m.bytes+8*j, bits(v))
		}
	}
	end := len(c) * m.bytes
	for j := range 16 {
		DATA(end+8*j, bits(math.Exp2(float64(j)/16)))
	}
	return &sixteenths{c[0], c[1], c[2], c[3], c[4], c[5], c[6:], [2]Op{table.Offset(end), table.Offset(end + m.bytes)}}
}

// wideExponentials is exponentials by sixteenths.
func (m isa) wideExponentials() {
	c := m.sixteenths()
	m.beginElementwise("exp", "exp(scale·x[i])")
	for i, entries := range c.entries {
		c.entries[i] = m.inRegister(entries)
	}
	m.elementwise(4, func(x []reg.VecVirtual) []reg.VecVirtual { return m.expBySixteenths(x, c) })
}

// expBySixteenths returns the exponentials of several registers, which it overwrites.
func (m isa) expBySixteenths(r []reg.VecVirtual, c *sixteenths) []reg.VecVirtual {
	k, q, power := make([]reg.VecVirtual, len(r)), make([]reg.VecVirtual, len(r)), make([]reg.VecVirtual, len(r))
	for i := range r {
		k[i], q[i], power[i] = m.register(), m.register(), m.register()
		// The limit is the first source and x the second, which a comparison with NaN
		// returns.
		m.do(most, r[i], m.inRegister(c.low), r[i])
		m.do(least, r[i], m.inRegister(c.high), r[i])
		m.do(load, c.magic, k[i])
		m.do(fma231, c.log2e, r[i], k[i])
		m.do(load, k[i], power[i])
		VPERMI2PD(c.entries[1], c.entries[0], power[i])
		m.do(sub, c.magic, k[i], k[i])
		m.do(fnma231, c.ln2, k[i], r[i])
		m.do(fnma231, c.ln2Low, k[i], r[i])
		m.do(load, c.q[0], q[i])
	}
	for _, coefficient := range c.q[1:] {
		for i := range r {
			m.do(fma213, coefficient, r[i], q[i])
		}
	}
	for i := range r {
		m.do(mul, r[i], q[i], q[i])
		m.do(fma213, r[i], r[i], q[i])
		m.do(fma213, power[i], power[i], q[i])
		m.do(scalef, k[i], q[i], q[i]) // the part of k below 1 is in the power
	}
	return q
}

// decayConstants are those of 2^t = 2^k·2^f, k = round(t), f = t − k, which is exact:
// the arguments beyond which the result is 0 or +Inf in float32, and 2^f = 1 + f·P(f) with P
// of degree 5, made like Q above. Its relative error is below 9.2·10⁻⁹, 0.16·2⁻²⁴.
var decayConstants = []float64{
	-150, 129, 1,
	0x1.44138cp-13, 0x1.5f0894p-10, 0x1.3b2a54p-7, 0x1.c6af6cp-5, 0x1.ebfbep-3, 0x1.62e43p-1,
}

// decays writes the loops of simd.Decay32, which are faster than those of exponentials
// because they round the exponent t instead of reducing the argument in two steps.
func decays() {
	table := singles[0].constant("decay", decayConstants...)
	bias := decayBias()
	for _, m := range singles {
		m.beginElementwise("decay", "2^(scale·x[i])")
		c := m.constants(table, len(decayConstants))
		unroll := 4
		if !m.wide() {
			unroll = 2
		}
		m.elementwise(unroll, func(t []reg.VecVirtual) []reg.VecVirtual { return m.decay(t, c, bias, true) })
	}
}

// decayBias is that of the exponents of float32.
func decayBias() Mem {
	bias := GLOBL("bias", RODATA|NOPTR)
	for j := range 8 {
		DATA(4*j, U32(127))
	}
	return bias
}

// decay returns 2^t for several registers, which it overwrites. Where rising is false, no t
// is above 0.
func (m isa) decay(t []reg.VecVirtual, c []Op, bias Mem, rising bool) []reg.VecVirtual {
	k, p := make([]reg.VecVirtual, len(t)), make([]reg.VecVirtual, len(t))
	for i := range t {
		k[i], p[i] = m.register(), m.register()
		limit := m.inRegister(c[0])
		m.do(most, t[i], limit, t[i])
		if rising {
			limit = m.inRegister(c[1])
			m.do(least, t[i], limit, t[i])
		}
		m.toInteger(t[i], k[i])
		m.do(sub, k[i], t[i], t[i])
		m.do(load, c[3], p[i])
	}
	for _, coefficient := range append(c[4:len(c):len(c)], c[2]) {
		for i := range t {
			m.do(fma213, coefficient, t[i], p[i])
		}
	}
	for i := range t {
		m.scale2(p[i], k[i], bias)
	}
	return p
}
