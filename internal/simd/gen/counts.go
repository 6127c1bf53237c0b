package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// counts writes functions of the number of bits in which points differ, for machines that
// count the bits of words (AVX-512 VPOPCNTDQ).
func counts() {
	panels([]isa{avx512}, counted)
	for _, m := range []isa{avx512, avx51232} {
		for _, rows := range m.rowCounts() {
			m.countProfile(rows)
		}
	}
}

// counted is [common] by the instruction that counts.
var counted = statistic{
	name: "counted", doc: common.doc, parts: 1,
	term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, _, _ reg.VecVirtual) {
		both := m.register()
		m.and(a[0], b[0], both)
		VPOPCNTQ(both, both)
		VPADDQ(both, acc, acc)
	},
	finish: common.finish,
}

// countProfile writes the loop over column panels of words: counts of the bits that are set
// in one of two points, which name their places in a table of 32 numbers in registers.
func (m isa) countProfile(rows int) {
	m.begin(fmt.Sprintf("countProfile%sx%d", m.name, rows),
		fmt.Sprintf("is the loop of [CountProfile] for %d row points.", rows),
		fmt.Sprintf("dst *%[1]s, stride int, a, b *float64, size, count int, table *%[1]s", m.number()))
	dst, a, b, table := pointer("dst"), pointer("a"), pointer("b"), pointer("table")
	stride, size, count := Load(Param("stride"), GP64()), Load(Param("size"), GP64()), Load(Param("count"), GP64())
	SHLQ(Imm(m.shift()), stride)
	places := make([]reg.VecVirtual, 32/m.lanes())
	for i := range places {
		places[i] = m.register()
		m.do(load, at(table, i*m.bytes), places[i])
	}
	half := m.repeated(16)
	Label("panel")
	TESTQ(count, count)
	JLE(LabelRef("done"))
	acc := make([]reg.VecVirtual, 2*rows)
	for i := range acc {
		acc[i] = m.register()
		m.zero(acc[i])
	}
	ap, left, out := GP64(), GP64(), GP64()
	MOVQ(a, ap)
	MOVQ(size, left)
	Label("word")
	b0, b1 := m.register(), m.register()
	VMOVDQU64(at(b, 0), b0)
	VMOVDQU64(at(b, m.bytes), b1)
	for i := range rows {
		for k, words := range []reg.VecVirtual{b0, b1} {
			x := m.register()
			VPXORQ_BCST(at(ap, 8*i), words, x)
			VPOPCNTQ(x, x)
			VPADDQ(x, acc[2*i+k], acc[2*i+k])
		}
	}
	ADDQ(I32(panelBytes), ap)
	ADDQ(I32(panelBytes), b)
	DECQ(left)
	JNZ(LabelRef("word"))
	MOVQ(dst, out)
	for i := range rows {
		if m.single {
			m.lookUp32(places, acc[2*i], acc[2*i+1], out)
		} else {
			m.lookUp(places, half, acc[2*i], at(out, 0))
			m.lookUp(places, half, acc[2*i+1], at(out, m.bytes))
		}
		if i < rows-1 {
			ADDQ(stride, out)
		}
	}
	ADDQ(I32(16*m.size()), dst)
	DECQ(count)
	JMP(LabelRef("panel"))
	Label("done")
	m.end()
}

// lookUp stores the numbers of a table of four registers at the given places.
func (m isa) lookUp(table []reg.VecVirtual, half, places reg.VecVirtual, dst Mem) {
	upper, k := m.register(), K()
	VPTESTMQ(half, places, k)
	VMOVAPD(places, upper)
	VPERMI2PD(table[3], table[2], upper)
	VPERMI2PD(table[1], table[0], places)
	VMOVAPD(upper, k, places)
	m.do(load, places, dst)
}

// lookUp32 stores the numbers of a table of two registers at the places in two.
func (m isa) lookUp32(table []reg.VecVirtual, low, high reg.VecVirtual, dst reg.Register) {
	first, second, places := YMM(), YMM(), m.register()
	VPMOVQD(low, first)
	VPMOVQD(high, second)
	VINSERTI64X4(Imm(1), second, first.AsZ(), places)
	VPERMI2PS(table[1], table[0], places)
	m.do(load, places, at(dst, 0))
}
