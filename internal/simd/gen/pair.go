package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// pairs writes the two loops of sequential minimal optimisation: rows of float32 of a
// matrix beside vectors of float64. n is a multiple of the lanes; what is returned is
// one result for each lane, with the number of the register as the place.
func pairs() {
	for _, m := range doubles {
		m.advance()
		m.partner()
	}
}

// selectLess copies values into their destinations where x < y.
func (m isa) selectLess(x, y reg.VecVirtual, values, into []reg.VecVirtual) {
	const less = 0x11 // ordered, no exception for NaN
	if m.wide() {
		k := K()
		VCMPPD(Imm(less), y, x, k)
		for i, v := range values {
			VMOVAPD(v, k, into[i])
		}
		return
	}
	mask := m.register()
	VCMPPD(Imm(less), y, x, mask)
	for i, v := range values {
		VBLENDVPD(mask, v, into[i], into[i])
	}
}

// repeated fills a register with the same 64 bits in every lane.
func (m isa) repeated(bits uint64) reg.VecVirtual {
	r := m.register()
	g := GP64()
	MOVQ(U64(bits), g)
	if m.wide() {
		VPBROADCASTQ(g, r)
		return r
	}
	low := XMM()
	VMOVQ(g, low)
	VPBROADCASTQ(low, r)
	return r
}

// ahead is how many bytes before their turn numbers of a row are asked for: a row lies in
// memory, and what the processor asks for by itself ends with a page.
const ahead = 2048

const infinity = 0x7ff0000000000000

func (m isa) advance() {
	m.begin("advance"+m.name, "adds step·(ki − kj) to grad and stores the least of grad + rise for each lane,\nand the number of its register.",
		"grad, rise *float64, ki, kj *float32, n int, step float64, least *float64, place *int64")
	g, rise, ki, kj, n := pointer("grad"), pointer("rise"), pointer("ki"), pointer("kj"), Load(Param("n"), GP64())
	step, best, place, number, one := m.register(), m.repeated(infinity), m.register(), m.register(), m.repeated(1)
	m.broadcastParameter("step", step)
	m.zero(place)
	m.zero(number)
	Label("loop")
	SUBQ(I32(m.lanes()), n)
	JL(LabelRef("done"))
	x, y, v := m.register(), m.register(), m.register()
	PREFETCHT0(at(ki, ahead))
	PREFETCHT0(at(kj, ahead))
	VCVTPS2PD(at(ki, 0), x)
	VCVTPS2PD(at(kj, 0), y)
	VSUBPD(y, x, x)
	VMOVUPD(at(g, 0), v)
	VFMADD231PD(x, step, v)
	VMOVUPD(v, at(g, 0))
	VADDPD(at(rise, 0), v, v)
	m.selectLess(v, best, []reg.VecVirtual{v, number}, []reg.VecVirtual{best, place})
	VPADDQ(one, number, number)
	ADDQ(I32(m.bytes), g)
	ADDQ(I32(m.bytes), rise)
	ADDQ(I32(m.bytes/2), ki)
	ADDQ(I32(m.bytes/2), kj)
	JMP(LabelRef("loop"))
	Label("done")
	VMOVUPD(best, at(pointer("least"), 0))
	VMOVUPD(place, at(pointer("place"), 0))
	m.end()
}

func (m isa) partner() {
	m.begin("partner"+m.name, "stores for each lane the gain and the curvature of the best partner, the\nlargest violation, and the number of the partner's register.",
		"k *float32, grad, fall, diag *float64, n int, gi, kii, floor float64, best *float64, place *int64")
	k, g, fall, diag, n := pointer("k"), pointer("grad"), pointer("fall"), pointer("diag"), Load(Param("n"), GP64())
	gi, kii, floor, two := m.register(), m.register(), m.register(), m.repeated(0x4000000000000000)
	m.broadcastParameter("gi", gi)
	m.broadcastParameter("kii", kii)
	m.broadcastParameter("floor", floor)
	magnitude := m.repeated(0x7fffffffffffffff)
	gain, curvature, violation := m.register(), m.repeated(0x3ff0000000000000), m.register()
	place, number, one := m.register(), m.register(), m.repeated(1)
	for _, r := range []reg.VecVirtual{gain, violation, place, number} {
		m.zero(r)
	}
	Label("loop")
	SUBQ(I32(m.lanes()), n)
	JL(LabelRef("done"))
	x, a, b := m.register(), m.register(), m.register()
	PREFETCHT0(at(k, ahead))
	VCVTPS2PD(at(k, 0), x)
	VMOVUPD(at(g, 0), b)
	VSUBPD(at(fall, 0), b, b)
	VSUBPD(gi, b, b)
	VADDPD(at(diag, 0), kii, a)
	VFNMADD231PD(two, x, a)
	VMAXPD(a, floor, a)
	VMAXPD(b, violation, violation)
	size := m.register()
	m.and(magnitude, b, size)
	VMULPD(size, b, b)
	here, there := m.register(), m.register()
	VMULPD(curvature, b, here)
	VMULPD(a, gain, there)
	m.selectLess(there, here, []reg.VecVirtual{b, a, number}, []reg.VecVirtual{gain, curvature, place})
	VPADDQ(one, number, number)
	ADDQ(I32(m.bytes/2), k)
	for _, p := range []reg.Register{g, fall, diag} {
		ADDQ(I32(m.bytes), p)
	}
	JMP(LabelRef("loop"))
	Label("done")
	best := pointer("best")
	VMOVUPD(gain, at(best, 0))
	VMOVUPD(curvature, at(best, m.bytes))
	VMOVUPD(violation, at(best, 2*m.bytes))
	VMOVUPD(place, at(pointer("place"), 0))
	m.end()
}
