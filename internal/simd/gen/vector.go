package main

import (
	"fmt"
	"math"
	"sync"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// constants returns the constants of a table, in registers where there are enough of
// them.
func (m isa) constants(table Mem, count int) []Op {
	c := make([]Op, count)
	for i := range c {
		c[i] = table.Offset(32 * i)
		if m.wide() {
			r := m.register()
			m.do(broadcast, c[i], r)
			c[i] = r
		}
	}
	return c
}

// inRegister returns a register that holds the constant.
func (m isa) inRegister(c Op) reg.VecVirtual {
	if r, ok := c.(reg.VecVirtual); ok {
		return r
	}
	r := m.register()
	m.do(load, c, r)
	return r
}

// elementwise writes a loop over n elements which stores f(scale·x[i]) in dst[i]: first
// unroll registers at a time, which hides the latency of f, then one, and what is left
// under a mask. f may overwrite what it is given.
func (m isa) elementwise(unroll int, f func(x []reg.VecVirtual) []reg.VecVirtual) {
	dst, x := pointer("dst"), pointer("x")
	n := Load(Param("n"), GP64())
	scale := m.register()
	m.broadcastParameter("scale", scale)
	turns := []int{unroll}
	if unroll > 1 {
		turns = append(turns, 1)
	}
	for _, u := range turns {
		loop, done := label("loop", u), label("done", u)
		Label(loop)
		CMPQ(n, I32(u*m.lanes()))
		JL(LabelRef(done))
		r := make([]reg.VecVirtual, u)
		for i := range r {
			r[i] = m.register()
			m.do(mul, at(x, i*m.bytes), scale, r[i])
		}
		for i, q := range f(r) {
			m.do(load, q, at(dst, i*m.bytes))
		}
		ADDQ(I32(u*m.bytes), x)
		ADDQ(I32(u*m.bytes), dst)
		SUBQ(I32(u*m.lanes()), n)
		JMP(LabelRef(loop))
		Label(done)
	}
	TESTQ(n, n)
	JZ(LabelRef("end"))
	some, r := m.first(n), m.register()
	some.load(at(x, 0), r)
	m.do(mul, r, scale, r)
	some.store(f([]reg.VecVirtual{r})[0], at(dst, 0))
	Label("end")
	m.end()
}

// some are the first lanes of a register.
type some struct {
	isa
	mask reg.Register
}

// first returns the first n lanes, 0 < n < lanes. It leaves n alone and uses CX.
func (m isa) first(n reg.Register) some {
	if m.wide() {
		bits, k := GP64(), K()
		MOVQ(n, reg.RCX)
		MOVQ(U32(1), bits)
		SHLQ(reg.CL, bits)
		DECQ(bits)
		KMOVW(bits.As32(), k)
		return some{m, k}
	}
	address, left, mask := GP64(), GP64(), m.register()
	LEAQ(lanesTable().Offset(32), address)
	MOVQ(n, left)
	SHLQ(Imm(m.shift()), left)
	SUBQ(left, address)
	m.do(load, at(address, 0), mask)
	return some{m, mask}
}

// lanesTable returns a register of ones followed by one of zeros: a mask of n lanes
// begins n lanes before the zeros. There is one in a file.
var lanesTable = sync.OnceValue(func() Mem {
	table := GLOBL("lanes", RODATA|NOPTR)
	for i, half := range []uint64{math.MaxUint64, 0} {
		for j := range 4 {
			DATA(32*i+8*j, U64(half))
		}
	}
	return table
})

// load fills a register, the other lanes with 0, and touches no other memory.
func (s some) load(from Mem, dst reg.VecVirtual) {
	if s.wide() {
		s.do(both(three(VMOVUPS_Z), three(VMOVUPD_Z)), from, s.mask, dst)
	} else {
		s.do(maskmov, from, s.mask, dst)
	}
}

// store writes the lanes to memory and touches no other.
func (s some) store(from reg.VecVirtual, dst Mem) {
	if s.wide() {
		s.do(load, from, s.mask, dst)
	} else {
		s.do(maskmov, from, s.mask, dst)
	}
}

var maskmov = both(three(VMASKMOVPS), three(VMASKMOVPD))

// three adapts an instruction of three operands.
func three(f func(x, y, z Op)) func(ops ...Op) {
	return func(ops ...Op) { f(ops[0], ops[1], ops[2]) }
}

// beginElementwise starts a function for [isa.elementwise].
func (m isa) beginElementwise(name, formula string) {
	m.begin(name+m.name, fmt.Sprintf("stores %s in dst[i] for i < n.", formula),
		fmt.Sprintf("dst, x *%[1]s, n int, scale %[1]s", m.number()))
}
