package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// peak writes the loop of multiplyAdds.
func peak() {
	for _, m := range all {
		m.multiplyAdds()
	}
}

// multiplyAdds writes a loop of nothing but fused multiply-adds, more of them
// independent of one another than the processor has in flight.
func (m isa) multiplyAdds() {
	const registers = 12
	m.begin("multiplyAdds"+m.name, fmt.Sprintf("replaces each of %d sums that start from 0 by x·sum + y, n times, and stores them in dst.", registers*m.lanes()),
		fmt.Sprintf("dst *%[1]s, x, y %[1]s, n int", m.number()))
	dst, n := pointer("dst"), Load(Param("n"), GP64())
	x, y := m.register(), m.register()
	m.broadcastParameter("x", x)
	m.broadcastParameter("y", y)
	sums := make([]reg.VecVirtual, registers)
	for i := range sums {
		sums[i] = m.register()
		m.zero(sums[i])
	}
	Label("loop")
	for _, s := range sums {
		m.do(fma213, y, x, s)
	}
	DECQ(n)
	JNZ(LabelRef("loop"))
	for i, s := range sums {
		m.do(load, s, at(dst, i*m.bytes))
	}
	m.end()
}
