package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// decayFromInner writes the loop that does what those of fromNorms and decays do, a few
// registers at a time and without a look at memory between them.
func (m isa) decayFromInner(two, table, bias Mem) {
	m.begin("decayFromInner"+m.name, "is the loop of [DecayFromInner32] over n columns, a multiple of 32. It returns 0 where one is doubtful.",
		"dst, s, cols *float32, n int, row, kept, scale float32) (fine uint64")
	dst, s, cols := pointer("dst"), pointer("s"), pointer("cols")
	n := Load(Param("n"), GP64())
	row, kept, scale := m.register(), m.register(), m.register()
	m.broadcastParameter("row", row)
	m.broadcastParameter("kept", kept)
	m.broadcastParameter("scale", scale)
	factor := m.register()
	m.do(broadcast, two, factor)
	g := guard{isa: m, kept: kept}
	g.begin()
	c := m.constants(table, len(decayConstants))
	turns := []int{2}
	if m.wide() {
		turns = []int{4, 2}
	}
	for _, unroll := range turns {
		loop, done := label("columns", unroll), label("done", unroll)
		Label(loop)
		CMPQ(n, I32(unroll*m.lanes()))
		JL(LabelRef(done))
		t := make([]reg.VecVirtual, unroll)
		for i := range t {
			norms := m.register()
			t[i] = m.register()
			m.do(add, at(cols, i*m.bytes), row, norms)
			m.do(load, at(s, i*m.bytes), t[i])
			m.do(fnma213, norms, factor, t[i])
			g.check(t[i], norms)
			m.do(mul, t[i], scale, t[i])
		}
		for i, v := range m.decay(t, c, bias, false) {
			m.do(load, v, at(dst, i*m.bytes))
		}
		for _, p := range []reg.Register{dst, s, cols} {
			ADDQ(I32(unroll*m.bytes), p)
		}
		SUBQ(I32(unroll*m.lanes()), n)
		JMP(LabelRef(loop))
		Label(done)
	}
	g.end()
	m.end()
}

// guard collects whether all t ≥ kept·norms, which does not hold for NaN.
type guard struct {
	isa
	kept  reg.VecVirtual
	fine  reg.VecVirtual
	lanes reg.Register
}

// begin starts with all fine.
func (g *guard) begin() {
	if g.wide() {
		g.lanes = K()
		KXNORW(g.lanes, g.lanes, g.lanes)
		return
	}
	g.fine = g.register()
	VPCMPEQD(g.fine, g.fine, g.fine)
}

// check adds one register.
func (g *guard) check(t, norms reg.VecVirtual) {
	const lessOrEqual = 18 // quiet, false for NaN
	bound := g.register()
	g.do(mul, norms, g.kept, bound)
	if g.wide() {
		k := K()
		VCMPPS(Imm(lessOrEqual), t, bound, k)
		KANDW(k, g.lanes, g.lanes)
		return
	}
	VCMPPS(Imm(lessOrEqual), t, bound, bound)
	VANDPS(bound, g.fine, g.fine)
}

// end returns whether all lanes of all registers were fine.
func (g *guard) end() {
	bits, fine, zero := GP32(), GP64(), GP64()
	all := 1<<16 - 1
	if g.wide() {
		KMOVW(g.lanes, bits)
	} else {
		VMOVMSKPS(g.fine, bits)
		all = 1<<8 - 1
	}
	XORQ(zero, zero)
	MOVQ(U32(1), fine)
	CMPL(bits, U32(uint32(all)))
	CMOVQNE(zero, fine)
	Store(fine, ReturnIndex(0))
}
