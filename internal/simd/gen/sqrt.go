package main

import (
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// squareRoots writes the loop over n elements, a multiple of the lanes.
func squareRoots() {
	for _, m := range []isa{avx2, avx512} {
		m.begin("sqrt"+m.name, "stores √(scale·x[i]) in dst[i] for i < n, a multiple of "+strconv.Itoa(m.lanes())+".",
			"dst, x *float64, n int, scale float64")
		dst, x := pointer("dst"), pointer("x")
		n := Load(Param("n"), GP64())
		scale, v := m.register(), m.register()
		m.broadcastParameter("scale", scale)
		Label("loop")
		CMPQ(n, I32(m.lanes()))
		JL(LabelRef("done"))
		VMULPD(at(x, 0), scale, v)
		VSQRTPD(v, v)
		VMOVUPD(v, at(dst, 0))
		ADDQ(I32(m.bytes), x)
		ADDQ(I32(m.bytes), dst)
		SUBQ(I32(m.lanes()), n)
		JMP(LabelRef("loop"))
		Label("done")
		m.end()
	}
}
