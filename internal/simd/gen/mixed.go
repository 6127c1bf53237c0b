package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mixed writes the squared distances of points of numbers and categories.
func mixed() {
	for _, m := range all {
		for _, rows := range m.rowCounts() {
			m.mixed(rows)
		}
	}
}

// mixed writes the loop over column panels for a few row points: that of [isa.panel], first
// over the numbers and then over the categories.
func (m isa) mixed(rows int) {
	m.begin(fmt.Sprintf("mixed%sx%d", m.name, rows),
		fmt.Sprintf("is the loop of [SquaredMixed] for %d row points.", rows),
		fmt.Sprintf("dst *%[1]s, stride int, a, b *%[1]s, numbers, categories, count int", m.number()))
	dst, a, b := pointer("dst"), pointer("a"), pointer("b")
	stride, numbers := Load(Param("stride"), GP64()), Load(Param("numbers"), GP64())
	categories, count := Load(Param("categories"), GP64()), Load(Param("count"), GP64())
	SHLQ(Imm(m.shift()), stride)
	size := GP64() // of a column panel
	LEAQ(Mem{Base: numbers, Index: categories, Scale: 2}, size)
	SHLQ(Imm(7), size)
	Label("panel")
	TESTQ(count, count)
	JLE(LabelRef("done"))
	for half := 0; half < panelBytes; half += 2 * m.bytes {
		ap, bp, left, out := GP64(), GP64(), GP64(), GP64()
		MOVQ(a, ap)
		LEAQ(at(b, half), bp)
		acc := make([]reg.VecVirtual, 2*rows)
		for i := range acc {
			acc[i] = m.register()
			m.zero(acc[i])
		}
		turns := func(name string, count reg.Register, coordinates int, body func()) {
			loop, done := label(name, half), label(name+"Done", half)
			MOVQ(count, left)
			TESTQ(left, left)
			JLE(LabelRef(done))
			Label(loop)
			body()
			ADDQ(I32(coordinates*panelBytes), ap)
			ADDQ(I32(coordinates*panelBytes), bp)
			DECQ(left)
			JNZ(LabelRef(loop))
			Label(done)
		}
		turns("number", numbers, 1, func() { m.mixedNumber(acc, ap, bp) })
		turns("category", categories, 2, func() { m.mixedCategory(acc, ap, bp) })
		MOVQ(dst, out)
		for i := range rows {
			m.do(load, acc[2*i], at(out, half))
			m.do(load, acc[2*i+1], at(out, half+m.bytes))
			if i < rows-1 {
				ADDQ(stride, out)
			}
		}
	}
	ADDQ(size, b)
	ADDQ(I32(panelBytes), dst)
	DECQ(count)
	JMP(LabelRef("panel"))
	Label("done")
	m.end()
}

// mixedNumber adds the squared differences of one coordinate.
func (m isa) mixedNumber(acc []reg.VecVirtual, a, b reg.Register) {
	b0, b1 := m.register(), m.register()
	m.do(load, at(b, 0), b0)
	m.do(load, at(b, m.bytes), b1)
	for i := range len(acc) / 2 {
		x := m.inLanes(at(a, m.size()*i))
		for half, y := range []reg.VecVirtual{b0, b1} {
			t := m.difference([]Op{x}, []reg.VecVirtual{y})
			m.do(fma231, t, t, acc[2*i+half])
		}
	}
}

// mixedCategory adds the lengths of both points where their categories differ.
func (m isa) mixedCategory(acc []reg.VecVirtual, a, b reg.Register) {
	const unequal = 4 // true for NaN
	name, length := m.register(), m.register()
	for i := range len(acc) / 2 {
		m.do(broadcast, at(a, m.size()*i), name)
		m.do(broadcast, at(a, panelBytes+m.size()*i), length)
		for half, sum := range acc[2*i : 2*i+2] {
			both := m.register()
			m.do(add, at(b, panelBytes+half*m.bytes), length, both)
			if m.wide() {
				k := K()
				m.do(compare, Imm(unequal), at(b, half*m.bytes), name, k)
				m.do(add, both, sum, k, sum)
				continue
			}
			mask := m.register()
			m.do(compare, Imm(unequal), at(b, half*m.bytes), name, mask)
			m.and(mask, both, both)
			m.do(add, both, sum, sum)
		}
	}
}
