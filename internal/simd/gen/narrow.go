package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// narrowing writes the loop that rounds float64 to float32, a multiple of 8 at a time.
func narrowing() {
	for _, m := range doubles {
		m.begin("narrow"+m.name, "stores float32(x[i]) in dst[i] for i < n, a multiple of 8.", "dst *float32, x *float64, n int")
		dst, x := pointer("dst"), pointer("x")
		n := Load(Param("n"), GP64())
		Label("loop")
		SUBQ(Imm(8), n)
		JL(LabelRef("end"))
		for i := 0; i < 8; i += m.lanes() {
			if m.wide() {
				half := YMM()
				VCVTPD2PS(at(x, 8*i), half)
				VMOVUPS(half, at(dst, 4*i))
			} else {
				half := XMM()
				VCVTPD2PSY(at(x, 8*i), half)
				VMOVUPS(half, at(dst, 4*i))
			}
		}
		ADDQ(Imm(64), x)
		ADDQ(Imm(32), dst)
		JMP(LabelRef("loop"))
		Label("end")
		m.end()
	}
}
