package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bytesInner writes the inner products of points of bytes, for machines with AVX-512 VNNI.
func bytesInner() {
	for _, rows := range avx512.rowCounts() {
		avx512.bytesInner(rows)
	}
}

// dotBytes adds to each 32 bits of acc the products of their four unsigned bytes in b and
// signed bytes in a. (avo does not know the instruction.)
func dotBytes(a, b, acc reg.VecVirtual) {
	Instruction(&ir.Instruction{Opcode: "VPDPBUSD", Operands: []Op{a, b, acc}, Inputs: []Op{a, b, acc}, Outputs: []Op{acc}, ISA: []string{"AVX512VNNI"}})
}

// bytesInner writes the loop over column panels of words of eight bytes. Bytes of the row
// points are signed, 128 less than they stand for: 128 times the sum of the bytes of the
// column point, which is one more row of ones, is what they lack.
func (m isa) bytesInner(rows int) {
	m.begin(fmt.Sprintf("bytesInner%sx%d", m.name, rows),
		fmt.Sprintf("stores the inner products of %d row points with every point of count column panels of size words,\nover the n words of a list.", rows),
		"dst *float64, stride int, a, b *uint64, index *int32, n, size, count int")
	dst, a, b, index := pointer("dst"), pointer("a"), pointer("b"), pointer("index")
	stride, n := Load(Param("stride"), GP64()), Load(Param("n"), GP64())
	size, count := Load(Param("size"), GP64()), Load(Param("count"), GP64())
	SHLQ(Imm(3), stride)
	SHLQ(Imm(7), size)
	ones := m.repeated(0x0101010101010101)
	Label("panel")
	TESTQ(count, count)
	JLE(LabelRef("done"))
	acc := make([]reg.VecVirtual, 2*rows+2) // the last two are those of the ones
	for i := range acc {
		acc[i] = m.register()
		m.zero(acc[i])
	}
	k, j, out := GP64(), GP64(), GP64()
	XORQ(k, k)
	Label("word")
	CMPQ(k, n)
	JGE(LabelRef("store"))
	MOVLQSX(Mem{Base: index, Index: k, Scale: 4}, j)
	SHLQ(Imm(7), j)
	b0, b1, x := m.register(), m.register(), m.register()
	m.do(load, Mem{Base: b, Index: j, Scale: 1}, b0)
	m.do(load, Mem{Base: b, Index: j, Scale: 1, Disp: m.bytes}, b1)
	dotBytes(ones, b0, acc[2*rows])
	dotBytes(ones, b1, acc[2*rows+1])
	for i := range rows {
		m.do(broadcast, Mem{Base: a, Index: j, Scale: 1, Disp: 8 * i}, x)
		dotBytes(x, b0, acc[2*i])
		dotBytes(x, b1, acc[2*i+1])
	}
	INCQ(k)
	JMP(LabelRef("word"))
	Label("store")
	for _, sum := range acc[2*rows:] {
		VPSLLD(Imm(7), sum, sum)
	}
	MOVQ(dst, out)
	for i := range rows {
		for register, sum := range acc[2*i : 2*i+2] {
			high, whole := m.register(), YMM()
			VPADDD(acc[2*rows+register], sum, sum)
			VPSRLQ(Imm(32), sum, high)
			VPADDD(high, sum, sum)
			VPMOVQD(sum, whole)
			VCVTDQ2PD(whole, sum)
			m.do(load, sum, at(out, register*m.bytes))
		}
		if i < rows-1 {
			ADDQ(stride, out)
		}
	}
	ADDQ(size, b)
	ADDQ(I32(panelBytes), dst)
	DECQ(count)
	JMP(LabelRef("panel"))
	Label("done")
	m.end()
}
