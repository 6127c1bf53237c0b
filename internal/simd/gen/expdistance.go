package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// expDistances writes the loops of simd.ExpDistances, with the bits of those of inner products,
// norms and exponentials: nothing is in memory between them.
func expDistances() {
	m := avx512
	table := GLOBL("distances", RODATA|NOPTR)
	for i, v := range []float64{2, 0.125} {
		for j := range m.lanes() {
			DATA(i*m.bytes+8*j, bits(v))
		}
	}
	c := m.sixteenths()
	for _, rows := range m.rowCounts() {
		m.expDistances(rows, table.Offset(0), table.Offset(m.bytes), c)
	}
}

// expDistances writes the loop over column panels for a number of rows, see [isa.panel]. The
// difference of t and its least size is negative, or a NaN of that sign, where t is doubtful.
func (m isa) expDistances(rows int, two, kept Mem, c *sixteenths) {
	m.begin(fmt.Sprintf("expDistances%sx%d", m.name, rows),
		fmt.Sprintf("is the loop of [ExpDistances] over %d row points and count > 0 column panels of d > 0 coordinates.\nIt returns 0 where one is doubtful.", rows),
		m.normedParameters()+", scale float64) (fine uint64")
	p := m.newNormedPanels(rows)
	scale, doubted := m.register(), m.register()
	m.broadcastParameter("scale", scale)
	m.zero(doubted)
	e := *c
	for i, entries := range c.entries {
		e.entries[i] = m.inRegister(entries)
	}

	Label("panel")
	acc := m.accumulate(inner, rows, 0, nil, nil, p.panelPointers)
	out := GP64()
	MOVQ(p.dst, out)
	for i := range rows {
		t := acc[2*i : 2*i+2]
		for v := range t {
			norms := m.register()
			m.do(load, at(p.colNorms, v*m.bytes), norms)
			m.do(add, m.inLanes(at(p.rowNorms, i*m.size())), norms, norms)
			m.do(fnma213, norms, m.inRegister(two), t[v])
			m.do(mul, kept, norms, norms)
			m.do(sub, norms, t[v], norms)
			VPORQ(norms, doubted, doubted)
			m.do(mul, scale, t[v], t[v])
		}
		for v, value := range m.expBySixteenths(t, &e) {
			m.do(load, value, at(out, v*m.bytes))
		}
		if i < rows-1 {
			ADDQ(p.stride, out)
		}
	}
	p.next()
	DECQ(p.count)
	JNZ(LabelRef("panel"))
	m.storeFine(doubted)
	m.end()
}
