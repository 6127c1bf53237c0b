package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// substitutions writes the loops of solve.
func substitutions() {
	solve(avx512)
	solve(avx2)
}

// solve writes the forward substitution for as many right-hand sides as 8 registers
// hold numbers: enough independent sums to hide the latency of a fused multiply-add.
func solve(m isa) {
	const vectors = 8
	width := vectors * m.lanes
	TEXT(fmt.Sprintf("solve%d%s", width, m.name), NOSPLIT, "func(x *float64, step int, t *float64, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("solve%d%s replaces n rows of %d numbers, step numbers apart, by the solution of L·x = b: row j becomes", width, m.name, width),
		"(xⱼ − Σ_k tⱼₖ·xₖ)·tⱼⱼ, k = 0 … j−1 in this order, fused, with the rows of t one after the other.")
	first := Load(Param("x"), GP64())
	step := Load(Param("step"), GP64())
	t := Load(Param("t"), GP64())
	n := Load(Param("n"), GP64())
	SHLQ(U8(3), step)
	current, done := GP64(), GP64()
	MOVQ(first, current)
	XORQ(done, done)

	Label("row")
	sums := make([]reg.VecVirtual, vectors)
	for v := range sums {
		sums[v] = m.register()
		VMOVUPD(at(current, 8*v*m.lanes), sums[v])
	}
	earlier, left := GP64(), GP64()
	MOVQ(first, earlier)
	MOVQ(done, left)
	TESTQ(left, left)
	JZ(LabelRef("divide"))
	Label("subtract")
	coefficient := m.register()
	VBROADCASTSD(at(t, 0), coefficient)
	for v := range sums {
		VFNMADD231PD(at(earlier, 8*v*m.lanes), coefficient, sums[v])
	}
	ADDQ(U8(8), t)
	ADDQ(step, earlier)
	DECQ(left)
	JNZ(LabelRef("subtract"))
	Label("divide")
	VBROADCASTSD(at(t, 0), coefficient)
	for v := range sums {
		VMULPD(coefficient, sums[v], sums[v])
		VMOVUPD(sums[v], at(current, 8*v*m.lanes))
	}
	ADDQ(U8(8), t)
	ADDQ(step, current)
	INCQ(done)
	CMPQ(done, n)
	JL(LabelRef("row"))
	m.end()
}
