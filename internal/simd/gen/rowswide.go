package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// wideColumns is how many registers of columns of float32 are summed side by side.
const wideColumns = 4

// addRowsWide writes the loop over all rows of a few columns, whose sums stay in registers until
// they are added to numbers of float64.
func (m isa) addRowsWide() {
	m.begin("addRowsWide"+m.name[2:], "adds scale·Σᵢ w[i]·a[i·lda+j] to y[j] for rows > 0 and n columns, a multiple of 4 registers of float32.",
		"y *float64, w, a *float32, lda, rows, n int, scale float64")
	y, a := pointer("y"), pointer("a")
	lda, n := Load(Param("lda"), GP64()), Load(Param("n"), GP64())
	SHLQ(Imm(2), lda)
	scale := m.register()
	address, err := Param("scale").Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSD(address.Addr, scale)
	Label("columns")
	w, left, row := pointer("w"), Load(Param("rows"), GP64()), GP64()
	MOVQ(a, row)
	sums := make([]reg.VecVirtual, wideColumns)
	for i := range sums {
		sums[i] = m.register()
		m.zero(sums[i])
	}
	Label("rows")
	weight := m.register()
	m.do(broadcast, at(w, 0), weight)
	for i, sum := range sums {
		m.do(fma231, at(row, i*m.bytes), weight, sum)
	}
	ADDQ(lda, row)
	ADDQ(Imm(4), w)
	DECQ(left)
	JNZ(LabelRef("rows"))
	for i, sum := range sums {
		for h, half := range m.doubled(sum) {
			place := at(y, (2*i+h)*m.bytes)
			VFMADD213PD(place, scale, half)
			VMOVUPD(half, place)
		}
	}
	ADDQ(I32(wideColumns*m.bytes), a)
	ADDQ(I32(2*wideColumns*m.bytes), y)
	SUBQ(I32(wideColumns*m.lanes()), n)
	JG(LabelRef("columns"))
	m.end()
}

// doubled returns the halves of a register of float32 as float64. It overwrites v.
func (m isa) doubled(v reg.VecVirtual) [2]reg.VecVirtual {
	low, high := m.register(), m.register()
	if m.wide() {
		VCVTPS2PD(v.AsY(), low)
		VEXTRACTF64X4(Imm(1), v, v.AsY())
		VCVTPS2PD(v.AsY(), high)
	} else {
		VCVTPS2PD(v.AsX(), low)
		VEXTRACTF128(Imm(1), v, v.AsX())
		VCVTPS2PD(v.AsX(), high)
	}
	return [2]reg.VecVirtual{low, high}
}
