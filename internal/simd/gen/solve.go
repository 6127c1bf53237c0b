package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// substitutions writes the loops of solve.
func substitutions() {
	for _, m := range all {
		solve(m)
	}
}

// solve writes the forward substitution for as many right-hand sides as a tile of gemm
// has columns.
func solve(m isa) {
	const vectors = tileVectors
	width := vectors * m.lanes()
	m.begin("solve"+m.name,
		fmt.Sprintf("replaces n rows of %d numbers, step numbers apart, by the solution of L·x = b: row j becomes\n"+
			"(xⱼ − Σ_k tⱼₖ·xₖ)·tⱼⱼ, k = 0 … j−1 in this order, fused, with the rows of t one after the other.", width),
		fmt.Sprintf("x *%[1]s, step int, t *%[1]s, n int", m.number()))
	first := Load(Param("x"), GP64())
	step := Load(Param("step"), GP64())
	t := Load(Param("t"), GP64())
	n := Load(Param("n"), GP64())
	SHLQ(Imm(m.shift()), step)
	current, done := GP64(), GP64()
	MOVQ(first, current)
	XORQ(done, done)

	Label("row")
	sums := make([]reg.VecVirtual, vectors)
	for v := range sums {
		sums[v] = m.register()
		m.do(load, at(current, v*m.bytes), sums[v])
	}
	earlier, left := GP64(), GP64()
	MOVQ(first, earlier)
	MOVQ(done, left)
	TESTQ(left, left)
	JZ(LabelRef("divide"))
	Label("subtract")
	coefficient := m.register()
	m.do(broadcast, at(t, 0), coefficient)
	for v := range sums {
		m.do(fnma231, at(earlier, v*m.bytes), coefficient, sums[v])
	}
	ADDQ(Imm(uint64(m.size())), t)
	ADDQ(step, earlier)
	DECQ(left)
	JNZ(LabelRef("subtract"))
	Label("divide")
	m.do(broadcast, at(t, 0), coefficient)
	for v := range sums {
		m.do(mul, coefficient, sums[v], sums[v])
		m.do(load, sums[v], at(current, v*m.bytes))
	}
	ADDQ(Imm(uint64(m.size())), t)
	ADDQ(step, current)
	INCQ(done)
	CMPQ(done, n)
	JL(LabelRef("row"))
	m.end()
}
