package main

import (
	"fmt"
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
	for _, rows := range avx51232.rowCounts() {
		avx51232.gaussians(rows, p, eighth)
	}
}

// powers are a way to 2^−s: prepare loads what stays in registers, and of returns the powers
// of s, which it overwrites. steps returns the same for one register, instruction by instruction; it
// may be nil.
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

// mostRows is the largest number of rows of a loop.
const mostRows = 8

// gaussianLoop is the state of a loop of simd.Gaussians32.
type gaussianLoop struct {
	normedPanels
	powers *powers
	guard  *guard
}

// gaussians writes the loop over column panels for a number of rows, see [isa.panel].
func (m isa) gaussians(rows int, powers *powers, eighth Mem) {
	least := "0"
	if rows == mostRows {
		least = fmt.Sprint(2*mostRows - 1)
	}
	m.begin(fmt.Sprintf("gaussians%sx%d", m.name, rows),
		fmt.Sprintf("is the loop of [Gaussians32] over %d row points and count > 0 column panels of d > %s coordinates.\nIt returns 0 where one is doubtful.", rows, least),
		m.normedParameters()+") (fine uint64")
	l := &gaussianLoop{normedPanels: m.newNormedPanels(rows), powers: powers}
	powers.prepare()
	l.guard = m.newGuard(eighth)
	if rows == mostRows {
		l.overlapped()
	} else {
		l.oneByOne()
	}
	l.storeFine(l.guard.doubted)
	m.end()
}

// oneByOne writes the loop that makes the powers of a panel when its inner products are there.
func (l *gaussianLoop) oneByOne() {
	Label("panel")
	acc := l.accumulate(inner, l.rows, 0, nil, nil, l.panelPointers)
	out, norms := GP64(), GP64()
	MOVQ(l.dst, out)
	MOVQ(l.rowNorms, norms)
	for i := range l.rows {
		for v := range 2 {
			for _, step := range l.value(acc[2*i+v], norms, out, v) {
				step()
			}
		}
		ADDQ(l.stride, out)
		ADDQ(Imm(4), norms)
	}
	l.next()
	DECQ(l.count)
	JNZ(LabelRef("panel"))
}

// value returns the steps that turn the inner products of a row with register v
// of the panel that colNorms points to, into powers and store them at out.
func (l *gaussianLoop) value(s reg.VecVirtual, row, out reg.Register, v int) []func() {
	norms := l.register()
	power, q := l.powers.steps(s)
	steps := []func(){
		func() { l.do(load, at(l.colNorms, v*l.bytes), norms) },
		func() { l.do(add, l.inLanes(at(row, 0)), norms, norms) },
		func() { l.do(sub, s, norms, s) },
	}
	steps = append(append(steps, l.guard.steps(s, norms)...), power...)
	return append(steps, func() { l.do(load, q, at(out, v*l.bytes)) })
}

// overlapped writes the loop that makes the powers of a panel while the inner products of the
// next one are added up, since one takes the units for multiplications and the other those for
// additions: a row of powers for every two of the first 2·rows coordinates. Inner products wait
// where their powers will be.
func (l *gaussianLoop) overlapped() {
	acc := l.accumulate(inner, l.rows, 0, nil, nil, l.panelPointers)
	l.keep(acc)
	DECQ(l.count)
	JZ(LabelRef("last"))

	Label("panel")
	for _, s := range acc {
		l.zero(s)
	}
	bp, left, out := GP64(), GP64(), GP64()
	ap, norms := pointer("a"), pointer("rows") // loaded again: there are not enough registers to keep them
	LEAQ(Mem{Base: l.b, Index: l.size, Scale: 1}, bp)
	MOVQ(l.dst, out)
	MOVQ(U32(uint32(l.rows)), left)
	Label("both")
	steps := append(l.waiting(norms, out, 0), l.waiting(norms, out, 1)...)
	for c := range 2 {
		steps = l.coordinate(acc, ap, bp, c*panelBytes, steps)
	}
	for _, step := range steps {
		step()
	}
	ADDQ(I32(2*panelBytes), ap)
	ADDQ(I32(2*panelBytes), bp)
	ADDQ(l.stride, out)
	ADDQ(Imm(4), norms)
	DECQ(left)
	JNZ(LabelRef("both"))
	Load(Param("d"), left)
	SUBQ(Imm(uint64(2*l.rows)), left)
	JZ(LabelRef("added"))
	Label("rest")
	l.coordinate(acc, ap, bp, 0, nil)
	ADDQ(I32(panelBytes), ap)
	ADDQ(I32(panelBytes), bp)
	DECQ(left)
	JNZ(LabelRef("rest"))
	Label("added")
	l.next()
	l.keep(acc)
	DECQ(l.count)
	JNZ(LabelRef("panel"))

	Label("last")
	out, norms, left = GP64(), pointer("rows"), GP64()
	MOVQ(l.dst, out)
	MOVQ(U32(uint32(l.rows)), left)
	Label("values")
	for v := range 2 {
		for _, step := range l.waiting(norms, out, v) {
			step()
		}
	}
	ADDQ(l.stride, out)
	ADDQ(Imm(4), norms)
	DECQ(left)
	JNZ(LabelRef("values"))
}

// keep stores inner products.
func (l *gaussianLoop) keep(acc []reg.VecVirtual) {
	out := GP64()
	MOVQ(l.dst, out)
	for i, s := range acc {
		l.do(load, s, at(out, i%2*l.bytes))
		if i%2 == 1 {
			ADDQ(l.stride, out)
		}
	}
}

// waiting is value for inner products that were kept at out.
func (l *gaussianLoop) waiting(norms, out reg.Register, v int) []func() {
	s := l.register()
	return append([]func(){func() { l.do(load, at(out, v*l.bytes), s) }}, l.value(s, norms, out, v)...)
}

// coordinate adds the products of one coordinate, a step behind every two of them, and returns
// the steps that are left.
func (l *gaussianLoop) coordinate(acc []reg.VecVirtual, a, b reg.Register, disp int, steps []func()) []func() {
	b0, b1 := l.register(), l.register()
	l.do(load, at(b, disp), b0)
	l.do(load, at(b, disp+l.bytes), b1)
	for i := range l.rows {
		for v, from := range []reg.VecVirtual{b0, b1} {
			l.do(fma231, l.inLanes(at(a, disp+4*i)), from, acc[2*i+v])
			if len(steps) > 0 {
				steps[0]()
				steps = steps[1:]
			}
		}
	}
	return steps
}

// guard collects whether all s ≥ norms/8: the sign of s − norms/8 says so, and the eighth is three
// less in the exponent. Norms below the least normal number times 8 become something negative, and
// their s is fine. NaN may be either.
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

// check adds one register. It overwrites norms.
func (g *guard) check(s, norms reg.VecVirtual) {
	for _, step := range g.steps(s, norms) {
		step()
	}
}

// steps are the instructions of check.
func (g *guard) steps(s, norms reg.VecVirtual) []func() {
	return []func(){
		func() { VPSUBD(g.eighth, norms, norms) },
		func() { g.do(sub, norms, s, norms) },
		func() {
			if g.wide() {
				VPORQ(norms, g.doubted, g.doubted)
			} else {
				VORPD(norms, g.doubted, g.doubted)
			}
		},
	}
}
