package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sparse writes the inner products of a sparse point, and those of a few points over the
// coordinates that any of them has.
func sparse() {
	for _, m := range all {
		m.sparseInner()
		for _, rows := range m.rowCounts() {
			m.listedInner(rows)
		}
	}
}

// listedInner writes the loop over column panels for a few row points, over the
// coordinates of a list: that of [isa.panel], 16 accumulators for 10 loads, with gaps.
func (m isa) listedInner(rows int) {
	m.begin(fmt.Sprintf("listedInner%sx%d", m.name, rows),
		fmt.Sprintf("stores Σₖ aⱼbⱼ, j = index[k], k < n, of %d row points with every point of count column panels of d coordinates.", rows),
		fmt.Sprintf("dst *%[1]s, stride int, a, b *%[1]s, index *int32, n, d, count int", m.number()))
	dst, a, b, index := pointer("dst"), pointer("a"), pointer("b"), pointer("index")
	stride, n := Load(Param("stride"), GP64()), Load(Param("n"), GP64())
	size, count := Load(Param("d"), GP64()), Load(Param("count"), GP64())
	SHLQ(Imm(m.shift()), stride)
	SHLQ(Imm(7), size)
	Label("panel")
	TESTQ(count, count)
	JLE(LabelRef("done"))
	for half := 0; half < panelBytes; half += 2 * m.bytes {
		k, j, out := GP64(), GP64(), GP64()
		acc := make([]reg.VecVirtual, 2*rows)
		for i := range acc {
			acc[i] = m.register()
			m.zero(acc[i])
		}
		loop, store := label("number", half), label("store", half)
		XORQ(k, k)
		Label(loop)
		CMPQ(k, n)
		JGE(LabelRef(store))
		MOVLQSX(Mem{Base: index, Index: k, Scale: 4}, j)
		SHLQ(Imm(7), j)
		b0, b1 := m.register(), m.register()
		m.do(load, Mem{Base: b, Index: j, Scale: 1, Disp: half}, b0)
		m.do(load, Mem{Base: b, Index: j, Scale: 1, Disp: half + m.bytes}, b1)
		for i := range rows {
			x := m.inLanes(Mem{Base: a, Index: j, Scale: 1, Disp: m.size() * i})
			m.do(fma231, x, b0, acc[2*i])
			m.do(fma231, x, b1, acc[2*i+1])
		}
		INCQ(k)
		JMP(LabelRef(loop))
		Label(store)
		zero := m.register()
		m.zero(zero) // −0 + 0 = 0
		MOVQ(dst, out)
		for i := range rows {
			for register, sum := range acc[2*i : 2*i+2] {
				m.do(add, zero, sum, sum)
				m.do(load, sum, at(out, half+register*m.bytes))
			}
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

// sparseInner writes the loop over column panels for one point of n > 0 numbers, each of
// which is multiplied with a coordinate of a panel: 128 bytes that follow one another. As
// many panels as give eight sums are computed at a time, which hides how long each
// addition takes, then one.
func (m isa) sparseInner() {
	m.begin("sparseInner"+m.name,
		"stores Σₖ value[k]·bⱼ, j = index[k], k < n, of every point of count column panels of d coordinates.",
		fmt.Sprintf("dst *%[1]s, index *int32, value *%[1]s, n int, b *%[1]s, d, count int", m.number()))
	s := sparseRow{isa: m, dst: pointer("dst"), index: pointer("index"), value: pointer("value")}
	s.n = Load(Param("n"), GP64())
	b, size, count := pointer("b"), Load(Param("d"), GP64()), Load(Param("count"), GP64())
	SHLQ(Imm(7), size)
	for _, panels := range []int{m.bytes / 16, 1} {
		loop, done := label("panels", panels), label("done", panels)
		Label(loop)
		CMPQ(count, Imm(uint64(panels)))
		JL(LabelRef(done))
		s.panels(b, size, panels)
		ADDQ(I32(panels*panelBytes), s.dst)
		SUBQ(Imm(uint64(panels)), count)
		JMP(LabelRef(loop))
		Label(done)
	}
	m.end()
}

// sparseRow are the registers that hold a sparse point and where its products go.
type sparseRow struct {
	isa
	dst, index, value, n reg.Register
}

// panels writes the loop over the numbers of the point for several panels, the first at b,
// and leaves b behind the last.
func (s *sparseRow) panels(b, size reg.Register, panels int) {
	registers := panelBytes / s.bytes
	bases, acc := make([]reg.Register, panels), make([]reg.VecVirtual, panels*registers)
	for i := range bases {
		bases[i] = GP64()
		MOVQ(b, bases[i])
		ADDQ(size, b)
	}
	for i := range acc {
		acc[i] = s.register()
		s.zero(acc[i])
	}
	k, j, x := GP64(), GP64(), s.register()
	XORQ(k, k)
	loop := label("number", panels)
	Label(loop)
	MOVLQSX(Mem{Base: s.index, Index: k, Scale: 4}, j)
	SHLQ(Imm(7), j)
	s.do(broadcast, Mem{Base: s.value, Index: k, Scale: uint8(s.size())}, x)
	for i, sum := range acc {
		s.do(fma231, Mem{Base: bases[i/registers], Index: j, Scale: 1, Disp: i % registers * s.bytes}, x, sum)
	}
	INCQ(k)
	CMPQ(k, s.n)
	JL(LabelRef(loop))
	s.zero(x) // −0 + 0 = 0
	for i, sum := range acc {
		s.do(add, x, sum, sum)
		s.do(load, sum, at(s.dst, i*s.bytes))
	}
}
