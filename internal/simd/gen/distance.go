package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// width is the number of points in a panel, simd.PanelWidth.
const width = 16

// distances writes the statistics of panels and what turns one into another.
func distances() {
	panels()
	squaredDistances()
}

// step adds to an accumulator what one coordinate contributes: a is that of a row
// point in every lane, b those of the column points, w the weight in every lane.
type step func(m isa, acc, a, b, w, mask reg.VecVirtual)

// statistics are what one loop computes for a pair of points.
var statistics = []struct {
	name, doc         string
	weighted, masking bool
	step              step
}{
	{"inner", "Σⱼ aⱼbⱼ", false, false, func(m isa, acc, a, b, w, mask reg.VecVirtual) {
		VFMADD231PD(b, a, acc)
	}},
	{"squared", "Σⱼ (aⱼ−bⱼ)²", false, false, func(m isa, acc, a, b, w, mask reg.VecVirtual) {
		t := m.register()
		VSUBPD(b, a, t)
		VFMADD231PD(t, t, acc)
	}},
	{"weighted", "Σⱼ (wⱼ(aⱼ−bⱼ))²", true, false, func(m isa, acc, a, b, w, mask reg.VecVirtual) {
		t := m.register()
		VSUBPD(b, a, t)
		VMULPD(w, t, t)
		VFMADD231PD(t, t, acc)
	}},
	{"manhattan", "Σⱼ wⱼ|aⱼ−bⱼ|", true, true, func(m isa, acc, a, b, w, mask reg.VecVirtual) {
		t := m.register()
		VSUBPD(b, a, t)
		m.and(mask, t, t)
		VFMADD231PD(t, w, acc)
	}},
	{"minima", "Σⱼ min(aⱼ, bⱼ)", false, false, func(m isa, acc, a, b, w, mask reg.VecVirtual) {
		t := m.register()
		VMINPD(b, a, t)
		VADDPD(t, acc, acc)
	}},
}

// panels writes every statistic for every number of rows that a call may have.
func panels() {
	mask := GLOBL("absMask", RODATA|NOPTR)
	DATA(0, U64(math.MaxInt64))
	for _, m := range []isa{avx2, avx512} {
		for i := range statistics {
			for rows := 1; rows <= m.lanes(); rows *= 2 {
				m.panel(i, rows, mask)
			}
		}
	}
}

// panel writes the loop over column panels. Of each it computes the points that fit in
// two registers at a time, for all rows: with 8 rows of AVX-512, 16 accumulators for
// 10 loads per coordinate.
func (m isa) panel(statistic, rows int, absMask Mem) {
	s := &statistics[statistic]
	m.begin(fmt.Sprintf("%s%sx%d", s.name, m.name, rows),
		fmt.Sprintf("stores %s of %d row points with every point of count column panels.", s.doc, rows),
		"dst *float64, stride int, a, b, w *float64, d, count int")
	dst, a, b := pointer("dst"), pointer("a"), pointer("b")
	stride, d, count := Load(Param("stride"), GP64()), Load(Param("d"), GP64()), Load(Param("count"), GP64())
	SHLQ(Imm(3), stride)
	var w reg.Register
	weight, mask := m.register(), m.register()
	if s.weighted {
		w = pointer("w")
	}
	if s.masking {
		VBROADCASTSD(absMask, mask)
	}
	size := GP64() // of a column panel
	MOVQ(d, size)
	SHLQ(Imm(7), size)

	Label("panel")
	TESTQ(count, count)
	JLE(LabelRef("done"))
	for half := 0; half < width; half += 2 * m.lanes() {
		m.columns(s.step, rows, half, w, weight, mask, dst, stride, a, b, d)
	}
	ADDQ(size, b)
	ADDQ(I32(8*width), dst)
	DECQ(count)
	JMP(LabelRef("panel"))
	Label("done")
	m.end()
}

// columns writes the loop over coordinates for the column points half, …, half+2·lanes.
func (m isa) columns(add step, rows, half int, w reg.Register, weight, mask reg.VecVirtual, dst, stride, a, b, d reg.Register) {
	ap, bp, wp, left, out := GP64(), GP64(), GP64(), GP64(), GP64()
	MOVQ(a, ap)
	LEAQ(at(b, 8*half), bp)
	if w != nil {
		MOVQ(w, wp)
	}
	MOVQ(d, left)
	acc := make([]reg.VecVirtual, 2*rows)
	for i := range acc {
		acc[i] = m.register()
		m.zero(acc[i])
	}
	loop, store := label("coordinate", half), label("store", half)
	TESTQ(left, left)
	JLE(LabelRef(store))
	Label(loop)
	b0, b1 := m.register(), m.register()
	VMOVUPD(at(bp, 0), b0)
	VMOVUPD(at(bp, m.bytes), b1)
	if w != nil {
		VBROADCASTSD(at(wp, 0), weight)
		ADDQ(Imm(8), wp)
	}
	for i := range rows {
		x := m.register()
		VBROADCASTSD(at(ap, 8*i), x)
		add(m, acc[2*i], x, b0, weight, mask)
		add(m, acc[2*i+1], x, b1, weight, mask)
	}
	ADDQ(I32(8*width), ap)
	ADDQ(I32(8*width), bp)
	DECQ(left)
	JNZ(LabelRef(loop))
	Label(store)
	MOVQ(dst, out)
	for i := range rows {
		VMOVUPD(acc[2*i], at(out, 8*half))
		VMOVUPD(acc[2*i+1], at(out, 8*half+m.bytes))
		if i < rows-1 {
			ADDQ(stride, out)
		}
	}
}

// squaredDistances writes the step from inner products to squared distances.
func squaredDistances() {
	limit := GLOBL("maxFloat64", RODATA|NOPTR)
	DATA(0, bits(math.MaxFloat64))
	two := GLOBL("two", RODATA|NOPTR)
	DATA(0, bits(2))
	for _, m := range []isa{avx2, avx512} {
		m.fromNorms(limit, two)
	}
}

// fromNorms writes the loop over n columns, a multiple of the lanes. The mask collects
// where s ≥ kept·norms and norms ≤ MaxFloat64, neither of which holds for NaN.
func (m isa) fromNorms(limitAt, twoAt Mem) {
	TEXT("fromNorms"+m.name, NOSPLIT, "func(s, cols *float64, n int, row, kept float64) uint64")
	Pragma("noescape")
	Doc("fromNorms" + m.name + " is the loop of [SquaredFromInner] over n columns, a multiple of 8. It returns 0 where one is doubtful.")
	s, cols := pointer("s"), pointer("cols")
	n := Load(Param("n"), GP64())
	row, kept, limit, two := m.register(), m.register(), m.register(), m.register()
	m.broadcastParameter("row", row)
	m.broadcastParameter("kept", kept)
	VBROADCASTSD(limitAt, limit)
	VBROADCASTSD(twoAt, two)
	fine := GP64()
	MOVQ(I32(-1), fine)
	var all reg.VecVirtual
	if m.lanes() == 4 {
		all = m.register()
		VPCMPEQQ(all, all, all)
	}
	Label("columns")
	CMPQ(n, I32(m.lanes()))
	JL(LabelRef("end"))
	norms, v, bound := m.register(), m.register(), m.register()
	VADDPD(at(cols, 0), row, norms)
	VMOVUPD(at(s, 0), v)
	VFNMADD213PD(norms, two, v)
	VMOVUPD(v, at(s, 0))
	VMULPD(norms, kept, bound)
	const lessOrEqual = 18 // quiet, false for NaN
	if m.lanes() == 8 {
		k := K()
		bits := GP32()
		VCMPPD(Imm(lessOrEqual), v, bound, k)
		k2 := K()
		VCMPPD(Imm(lessOrEqual), limit, norms, k2)
		KANDW(k, k2, k)
		KMOVW(k, bits)
		ANDQ(bits.As64(), fine)
	} else {
		t := m.register()
		VCMPPD(Imm(lessOrEqual), v, bound, t)
		VANDPD(t, all, all)
		VCMPPD(Imm(lessOrEqual), limit, norms, t)
		VANDPD(t, all, all)
	}
	ADDQ(I32(m.bytes), s)
	ADDQ(I32(m.bytes), cols)
	SUBQ(I32(m.lanes()), n)
	JMP(LabelRef("columns"))
	Label("end")
	if m.lanes() == 4 {
		bits := GP32()
		VMOVMSKPD(all, bits)
		MOVQ(bits.As64(), fine)
	}
	full := GP64()
	XORQ(full, full)
	CMPB(fine.As8(), Imm(uint64(uint8(1<<m.lanes()-1))))
	SETEQ(full.As8())
	Store(full, ReturnIndex(0))
	m.end()
}
