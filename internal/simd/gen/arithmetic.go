package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// arithmetic writes loops whose every operation is rounded, as in Go.
func arithmetic() {
	for _, m := range append(doubles, singles...) {
		m.affine()
		m.binary("sum", "s[i] + t[i]", add)
		m.binary("product", "s[i]·t[i]", mul)
		m.binary("larger", "the larger of s[i] and t[i]", most)
		m.powers()
	}
}

// affine writes the loop of scale·x + shift.
func (m isa) affine() {
	m.begin("affine"+m.name, "stores scale·x[i] + shift in dst[i] for i < n.", fmt.Sprintf("dst, x *%[1]s, n int, scale, shift %[1]s", m.number()))
	shift := m.register()
	m.broadcastParameter("shift", shift)
	m.elementwise(1, func(x []reg.VecVirtual) []reg.VecVirtual {
		m.do(add, shift, x[0], x[0])
		return x
	})
}

// binary writes the loop of an operation on two vectors.
func (m isa) binary(name, formula string, operation instruction) {
	m.begin(name+m.name, fmt.Sprintf("stores %s in dst[i] for i < n.", formula), fmt.Sprintf("dst, s, t *%s, n int", m.number()))
	dst, s, t := pointer("dst"), pointer("s"), pointer("t")
	n := Load(Param("n"), GP64())
	x, y := m.register(), m.register()
	Label("loop")
	CMPQ(n, I32(m.lanes()))
	JL(LabelRef("rest"))
	m.do(load, at(s, 0), x)
	m.do(operation, at(t, 0), x, x)
	m.do(load, x, at(dst, 0))
	for _, p := range []reg.Register{dst, s, t} {
		ADDQ(I32(m.bytes), p)
	}
	SUBQ(I32(m.lanes()), n)
	JMP(LabelRef("loop"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	left := m.first(n)
	left.load(at(s, 0), x)
	left.load(at(t, 0), y)
	m.do(operation, y, x, x)
	left.store(x, at(dst, 0))
	Label("end")
	m.end()
}

// powers writes the loop of x^power by repeated squaring.
func (m isa) powers() {
	m.begin("powers"+m.name, "stores x[i]^power in dst[i] for i < n, power ≥ 0.", fmt.Sprintf("dst, x *%s, n, power int", m.number()))
	dst, x := pointer("dst"), pointer("x")
	n, power := Load(Param("n"), GP64()), Load(Param("power"), GP64())
	one := m.register()
	m.do(broadcast, m.constant("one"+m.name, 1), one)
	unroll := 4
	for _, u := range []int{unroll, 1} {
		loop, done := label("loop", u), label("done", u)
		Label(loop)
		CMPQ(n, I32(u*m.lanes()))
		JL(LabelRef(done))
		v := make([]reg.VecVirtual, u)
		for i := range v {
			v[i] = m.register()
			m.do(load, at(x, i*m.bytes), v[i])
		}
		for i, p := range m.squarings(v, one, power, loop) {
			m.do(load, p, at(dst, i*m.bytes))
		}
		ADDQ(I32(u*m.bytes), x)
		ADDQ(I32(u*m.bytes), dst)
		SUBQ(I32(u*m.lanes()), n)
		JMP(LabelRef(loop))
		Label(done)
	}
	TESTQ(n, n)
	JZ(LabelRef("end"))
	left, v := m.first(n), m.register()
	left.load(at(x, 0), v)
	left.store(m.squarings([]reg.VecVirtual{v}, one, power, "rest")[0], at(dst, 0))
	Label("end")
	m.end()
}

// squarings returns the powers of several registers, which it overwrites.
func (m isa) squarings(v []reg.VecVirtual, one reg.VecVirtual, power reg.Register, name string) []reg.VecVirtual {
	left := GP64()
	MOVQ(power, left)
	p := make([]reg.VecVirtual, len(v))
	for i := range p {
		p[i] = m.register()
		m.do(load, one, p[i])
	}
	next, square, done := name+"next", name+"square", name+"powers"
	Label(next)
	TESTQ(left, left)
	JZ(LabelRef(done))
	TESTQ(U32(1), left)
	JZ(LabelRef(square))
	for i := range p {
		m.do(mul, v[i], p[i], p[i])
	}
	Label(square)
	for i := range v {
		m.do(mul, v[i], v[i], v[i])
	}
	SHRQ(Imm(1), left)
	JMP(LabelRef(next))
	Label(done)
	return p
}
