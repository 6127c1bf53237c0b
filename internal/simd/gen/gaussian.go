package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gaussians writes the loops of simd.Gaussians32, which leave nothing in memory between an inner
// product and the power of 2, and those that begin with inner products from elsewhere.
func gaussians() {
	eighth := GLOBL("eighth", RODATA|NOPTR)
	for j := range 16 {
		DATA(4*j, U32(3<<23))
	}
	avx2x32.gaussianFromInner(avx2x32.decayPowers(), eighth)
	p := avx51232.tablePowers()
	avx51232.gaussianFromInner(p, eighth)
	avx51232.gaussians(p, eighth)
}

// powers are a way to 2^−s: prepare loads what stays in registers, and of returns the powers
// of s, which it overwrites. steps returns the same for one register, instruction by instruction;
// it may be nil.
type powers struct {
	prepare func()
	of      func(s ...reg.VecVirtual) []reg.VecVirtual
	steps   func(s reg.VecVirtual) ([]func(), reg.VecVirtual)
}

// decayPowers are those of simd.Decay32.
func (m isa) decayPowers() *powers {
	table, bias := m.constant("decay", decayConstants...), decayBias()
	p := new(powers)
	p.prepare = func() {
		c := m.constants(table, len(decayConstants))
		p.of = func(s ...reg.VecVirtual) []reg.VecVirtual {
			zero := m.register()
			m.zero(zero)
			for _, t := range s {
				m.do(sub, t, zero, t)
			}
			return m.decay(s, c, bias, false)
		}
	}
	return p
}

const (
	// powerBits is the logarithm of the number of entries of a table of 2^(j/16), and
	// powerShift the place of the bit of 1/16 beside the exponent.
	powerBits, powerShift = 4, 23 - powerBits
	// powerLimit is the largest s for which 2^−s may be more than 0.
	powerLimit = 127
)

// powerPolynomial has the coefficients of 2^−g = 1 + g·Q(g) for |g| ≤ 1/32, from the lowest to
// the highest: the polynomial that agrees with (2^−g − 1)/g at the three Chebyshev points of
// |g| ≤ 1.0005/32, computed in exact arithmetic and rounded. Its relative error is below 2.4·10⁻⁹,
// 0.05·2⁻²⁴.
var powerPolynomial = []float64{-0x1.62e43p-1, 0x1.ebff92p-3, -0x1.c6b29ap-5}

// tablePowers are 2^−s = 2^(k/16)·2^−g with k = round(−16s) and g = s + k/16, which is exact. The
// sum of 1.5·2¹⁹ and −s has k in its last bits. The last four of them name an entry of a
// table of 2^(j/16) from which j is taken off where the others, shifted to the exponent, add it
// again (Tang, ACM TOMS 15, 1989). The result is 0 where s ≥ 127, any number below 2⁻¹²⁶
// where s > 126, and NaN where s is.
func (m isa) tablePowers() *powers {
	constants, size := GLOBL("powers", RODATA|NOPTR), 0
	number := func(bits uint32) {
		DATA(size, U32(bits))
		size += 4
	}
	for j := range uint32(1 << powerBits) {
		number(math.Float32bits(float32(math.Exp2(float64(j)/(1<<powerBits)))) - j<<powerShift)
	}
	for _, v := range append([]float64{1.5 * (1 << powerShift), powerLimit}, powerPolynomial...) {
		for range m.lanes() {
			number(math.Float32bits(float32(v)))
		}
	}
	p := new(powers)
	p.prepare = func() {
		c := make([]reg.VecVirtual, size/m.bytes)
		for i := range c {
			c[i] = m.register()
			m.do(load, constants.Offset(i*m.bytes), c[i])
		}
		p.steps = func(s reg.VecVirtual) ([]func(), reg.VecVirtual) { return m.tablePower(s, c[0], c[1], c[2], c[3:]) }
		p.of = func(s ...reg.VecVirtual) []reg.VecVirtual {
			out := make([]reg.VecVirtual, len(s))
			for i := range s {
				var steps []func()
				steps, out[i] = p.steps(s[i])
				for _, step := range steps {
					step()
				}
			}
			return out
		}
	}
	return p
}

// tablePower is one register of tablePowers, as the steps that write its instructions.
func (m isa) tablePower(s, table, magic, limit reg.VecVirtual, c []reg.VecVirtual) (steps []func(), power reg.VecVirtual) {
	k, rounded, entry, q := m.register(), m.register(), m.register(), m.register()
	return []func(){
		func() { m.do(least, s, limit, s) }, // NaN is the second source
		func() { m.do(sub, s, magic, k) },
		func() { m.do(sub, magic, k, rounded) },
		func() { m.do(add, rounded, s, s) },
		func() { VPERMPS(table, k, entry) },
		func() { VPSLLD(Imm(powerShift), k, k) },
		func() { VPADDD(k, entry, entry) },
		func() { m.do(load, c[2], q) },
		func() { m.do(fma213, c[1], s, q) },
		func() { m.do(fma213, c[0], s, q) },
		func() { m.do(mul, s, q, q) },
		func() { m.do(fma213, entry, entry, q) },
	}, q
}

// gaussianFromInner writes the loop over n columns of one row.
func (m isa) gaussianFromInner(p *powers, eighth Mem) {
	m.begin("gaussianFromInner"+m.name, "is the loop of [GaussianFromInner32] over n columns, a multiple of 32. It returns 0 where one is doubtful.",
		"dst, s, cols *float32, n int, row float32) (fine uint64")
	dst, s, cols := pointer("dst"), pointer("s"), pointer("cols")
	n := Load(Param("n"), GP64())
	row := m.register()
	m.broadcastParameter("row", row)
	p.prepare()
	g := m.newGuard(eighth)
	Label("columns")
	t := make([]reg.VecVirtual, 2)
	for i := range t {
		t[i] = m.register()
		norms := m.register()
		m.do(add, at(cols, i*m.bytes), row, norms)
		m.do(sub, at(s, i*m.bytes), norms, t[i])
		g.share(norms)
		g.check(t[i], norms)
	}
	for i, v := range p.of(t...) {
		m.do(load, v, at(dst, i*m.bytes))
	}
	for _, p := range []reg.Register{dst, s, cols} {
		ADDQ(I32(2*m.bytes), p)
	}
	SUBQ(I32(2*m.lanes()), n)
	JG(LabelRef("columns"))
	m.storeFine(g.doubted)
	m.end()
}

// guard collects whether all s are at least as large as they must be: the sign of the difference
// says so. NaN may be either.
type guard struct {
	isa
	eighth  Mem
	doubted reg.VecVirtual
}

// newGuard starts with no doubt. eighth is 3 in the exponent.
func (m isa) newGuard(eighth Mem) *guard {
	g := &guard{isa: m, eighth: eighth, doubted: m.register()}
	m.zero(g.doubted)
	return g
}

// share divides norms by 8, which is three less in the exponent. Norms below the least normal
// number times 8 become something negative, and their s is fine.
func (g *guard) share(norms reg.VecVirtual) { VPSUBD(g.eighth, norms, norms) }

// check adds one register of s, which must be at least least. It overwrites least.
func (g *guard) check(s, least reg.VecVirtual) {
	for _, step := range g.steps(s, least) {
		step()
	}
}

// steps are the instructions of check.
func (g *guard) steps(s, least reg.VecVirtual) []func() {
	return []func(){
		func() { g.do(sub, least, s, least) },
		func() {
			if g.wide() {
				VPORQ(least, g.doubted, g.doubted)
			} else {
				VORPD(least, g.doubted, g.doubted)
			}
		},
	}
}
