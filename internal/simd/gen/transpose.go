package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transpositions writes the loops of transpose: eight rows of a matrix at a time, or
// four of float64 with AVX2.
func transpositions() {
	for _, m := range []isa{avx2, avx512, avx2x32} {
		m.transpose()
	}
}

// transpose writes the loop over square blocks of as many rows as a register has lanes.
// It asks for the rows of the next call ahead: from memory they take longer than the
// arithmetic of this one.
// A block is transposed within the 128 bits of each lane group first, and then group by
// group.
func (m isa) transpose() {
	order := m.lanes()
	m.begin("transpose"+m.name, fmt.Sprintf("stores dst[j*to+i] = scale·src[i*from+j] for i < %d and j < cols, a multiple of %d.", order, order),
		fmt.Sprintf("dst *%[1]s, to int, src *%[1]s, from, cols int, scale %[1]s", m.number()))
	dst, src := pointer("dst"), pointer("src")
	to, from, cols := Load(Param("to"), GP64()), Load(Param("from"), GP64()), Load(Param("cols"), GP64())
	SHLQ(Imm(m.shift()), to)
	SHLQ(Imm(m.shift()), from)
	scale := m.register()
	m.broadcastParameter("scale", scale)
	p, ahead := GP64(), GP64()
	MOVQ(from, ahead)
	for n := 1; n < order; n *= 2 {
		ADDQ(ahead, ahead)
	}

	Label("block")
	MOVQ(src, p)
	rows := make([]reg.VecVirtual, order)
	for i := range rows {
		rows[i] = m.register()
		PREFETCHT0(Mem{Base: p, Index: ahead, Scale: 1})
		m.do(mul, at(p, 0), scale, rows[i])
		if i < order-1 {
			ADDQ(from, p)
		}
	}
	for _, column := range m.transposed(rows) {
		m.do(load, column, at(dst, 0))
		ADDQ(to, dst)
	}
	ADDQ(Imm(uint64(m.bytes)), src)
	SUBQ(Imm(uint64(order)), cols)
	JG(LabelRef("block"))
	m.end()
}

// transposed returns the columns of a square block. The 16 bytes of a lane group hold
// inner numbers of a row; as many rows make a set.
func (m isa) transposed(rows []reg.VecVirtual) []reg.VecVirtual {
	inner := 16 / m.size()
	sets := len(rows) / inner
	columns := make([]reg.VecVirtual, len(rows))
	parts := make([][]reg.VecVirtual, sets) // parts[s][c] has column g·inner+c of set s in group g
	for s := range parts {
		parts[s] = m.withinGroups(rows[s*inner : (s+1)*inner])
	}
	for c := range inner {
		across := make([]reg.VecVirtual, sets)
		for s := range across {
			across[s] = parts[s][c]
		}
		for g, column := range m.acrossGroups(across) {
			columns[g*inner+c] = column
		}
	}
	return columns
}

// interleave returns what two instructions make of the same operands.
func (m isa) interleave(low, high func(ops ...Op), x, y reg.VecVirtual) (l, h reg.VecVirtual) {
	l, h = m.register(), m.register()
	low(y, x, l)
	high(y, x, h)
	return l, h
}

// withinGroups transposes 2×2 float64 or 4×4 float32 in every group.
func (m isa) withinGroups(r []reg.VecVirtual) []reg.VecVirtual {
	if !m.single {
		even, odd := m.interleave(VUNPCKLPD, VUNPCKHPD, r[0], r[1])
		return []reg.VecVirtual{even, odd}
	}
	a01, a23 := m.interleave(VUNPCKLPS, VUNPCKHPS, r[0], r[1])
	b01, b23 := m.interleave(VUNPCKLPS, VUNPCKHPS, r[2], r[3])
	c0, c1 := m.interleave(VUNPCKLPD, VUNPCKHPD, a01, b01)
	c2, c3 := m.interleave(VUNPCKLPD, VUNPCKHPD, a23, b23)
	return []reg.VecVirtual{c0, c1, c2, c3}
}

// acrossGroups transposes the square of groups: 2×2, or 4×4 with AVX-512.
func (m isa) acrossGroups(r []reg.VecVirtual) []reg.VecVirtual {
	// pair takes groups of x and then of y, by two bits each or, with AVX2, one.
	pair := func(control uint64, x, y reg.VecVirtual) reg.VecVirtual {
		z := m.register()
		if m.wide() {
			VSHUFF64X2(Imm(control), y, x, z)
		} else {
			VPERM2F128(Imm(control), y, x, z)
		}
		return z
	}
	if !m.wide() {
		return []reg.VecVirtual{pair(0x20, r[0], r[1]), pair(0x31, r[0], r[1])}
	}
	const first, last, even, odd = 0x44, 0xEE, 0x88, 0xDD
	a, b := pair(first, r[0], r[1]), pair(last, r[0], r[1])
	c, d := pair(first, r[2], r[3]), pair(last, r[2], r[3])
	return []reg.VecVirtual{pair(even, a, c), pair(odd, a, c), pair(even, b, d), pair(odd, b, d)}
}
