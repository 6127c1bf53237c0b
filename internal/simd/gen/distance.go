package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// panelBytes is the size of one coordinate of a panel: simd.PanelWidth float64 or
// simd.PanelWidth32 float32.
const panelBytes = 128

// statistic is what one loop computes for a pair of points.
type statistic struct {
	name, doc         string
	weighted, masking bool
	crowded           bool // a term needs many registers
	// parts is how many numbers make a coordinate: 1, or 2 for a number and what is left
	// of it after rounding.
	parts int
	// inRegister says that a term needs the row point in a register.
	inRegister bool
	// term adds to an accumulator what one coordinate contributes: a are the parts of a
	// row point in every lane, b those of the column points, w the weight in every lane.
	term func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, w, mask reg.VecVirtual)
	// finish turns an accumulator into the number that is stored; nil: it is that.
	finish func(m isa, acc reg.VecVirtual)
}

var inner = statistic{name: "inner", doc: "Σⱼ aⱼbⱼ", parts: 1, term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, _, _ reg.VecVirtual) {
	m.do(fma231, a[0], b[0], acc)
}}

var squared = statistic{name: "squared", doc: "Σⱼ (aⱼ−bⱼ)²", parts: 1, term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, _, _ reg.VecVirtual) {
	t := m.difference(a, b)
	m.do(fma231, t, t, acc)
}}

var squaredSplit = statistic{name: "squaredSplit", doc: "Σⱼ (aⱼ−bⱼ)², each number in two parts,", parts: 2, term: squared.term}

var weighted = statistic{name: "weighted", doc: "Σⱼ (wⱼ(aⱼ−bⱼ))²", weighted: true, parts: 1, term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, w, _ reg.VecVirtual) {
	t := m.difference(a, b)
	m.do(mul, w, t, t)
	m.do(fma231, t, t, acc)
}}

var manhattan = statistic{name: "manhattan", doc: "Σⱼ wⱼ|aⱼ−bⱼ|", weighted: true, masking: true, parts: 1, term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, w, mask reg.VecVirtual) {
	t := m.difference(a, b)
	m.and(mask, t, t)
	m.do(fma231, t, w, acc)
}}

var halfPowers = statistic{name: "halfPowers", doc: "Σⱼ wⱼ|aⱼ−bⱼ|^½", weighted: true, masking: true, parts: 1, term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, w, mask reg.VecVirtual) {
	t := m.difference(a, b)
	m.and(mask, t, t)
	m.do(root, t, t)
	m.do(fma231, t, w, acc)
}}

var threeHalfPowers = statistic{name: "threeHalfPowers", doc: "Σⱼ wⱼ|aⱼ−bⱼ|^{3/2}", weighted: true, masking: true, parts: 1, term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, w, mask reg.VecVirtual) {
	t, r := m.difference(a, b), m.register()
	m.and(mask, t, t)
	m.do(root, t, r)
	m.do(mul, t, r, t)
	m.do(fma231, t, w, acc)
}}

var manhattan1 = statistic{name: "manhattan", doc: "Σⱼ |aⱼ−bⱼ|", masking: true, parts: 1, term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, _, mask reg.VecVirtual) {
	t := m.difference(a, b)
	m.and(mask, t, t)
	m.do(add, t, acc, acc)
}}

var manhattanSplit = statistic{name: "manhattanSplit", doc: "Σⱼ |aⱼ−bⱼ|, each number in two parts,", masking: true, parts: 2, term: manhattan1.term}

var minima = statistic{name: "minima", doc: "Σⱼ min(aⱼ, bⱼ)", parts: 1, inRegister: true, term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, _, _ reg.VecVirtual) {
	t := m.register()
	m.do(least, b[0], a[0], t)
	m.do(add, t, acc, acc)
}}

// difference returns b − a. The leading parts are subtracted first: where the points are
// close that is exact, and the parts below are not lost.
func (m isa) difference(a []Op, b []reg.VecVirtual) reg.VecVirtual {
	t := m.register()
	m.do(sub, a[0], b[0], t)
	if len(a) == 2 {
		low := m.register()
		m.do(sub, a[1], b[1], low)
		m.do(add, low, t, t)
	}
	return t
}

// distances writes the statistics of panels and what turns one into another.
func distances() {
	panels(doubles, inner, squared, weighted, manhattan, minima, common, chiSquared, harmonicMeans, halfPowers, threeHalfPowers)
	squaredDistances(doubles)
	panels(singles, inner, squared, squaredSplit, manhattan1, manhattanSplit, minima)
	squaredDistances(singles)
}

// panels writes every statistic for every number of rows that a call may have: as many
// as keep the accumulators and what a step needs in registers.
func panels(machines []isa, statistics ...statistic) {
	m := machines[0]
	mask := GLOBL("absMask"+m.number(), RODATA|NOPTR)
	if m.single {
		DATA(0, U32(math.MaxInt32))
	} else {
		DATA(0, U64(math.MaxInt64))
	}
	for _, m := range machines {
		for _, s := range statistics {
			largest := 8
			if !m.wide() {
				largest = 4
				if s.parts == 2 || s.crowded {
					largest = 2
				}
			}
			for rows := 1; rows <= largest; rows *= 2 {
				m.panel(s, rows, mask)
			}
		}
	}
}

// panel writes the loop over column panels. Of each it computes the points that fit in
// two registers at a time, for all rows: with 8 rows of AVX-512, 16 accumulators for
// 10 loads per coordinate.
func (m isa) panel(s statistic, rows int, absMask Mem) {
	m.begin(fmt.Sprintf("%s%sx%d", s.name, m.name, rows),
		fmt.Sprintf("stores %s of %d row points with every point of count column panels.", s.doc, rows),
		fmt.Sprintf("dst *%[1]s, stride int, a, b, w *%[1]s, d, count int", m.number()))
	p := panelPointers{dst: pointer("dst"), a: pointer("a"), b: pointer("b")}
	p.stride, p.d = Load(Param("stride"), GP64()), Load(Param("d"), GP64())
	count := Load(Param("count"), GP64())
	SHLQ(Imm(m.shift()), p.stride)
	weight, mask := m.register(), m.register()
	if s.weighted {
		p.w = pointer("w")
	}
	if s.masking {
		m.do(broadcast, absMask, mask)
	}
	size := GP64() // of a column panel
	MOVQ(p.d, size)
	SHLQ(Imm(uint64(6+s.parts)), size)
	if rows == 1 {
		m.abreast(s, weight, mask, p, size, count)
	}

	Label("panel")
	TESTQ(count, count)
	JLE(LabelRef("done"))
	for half := 0; half < panelBytes; half += 2 * m.bytes {
		m.columns(s, rows, half, weight, mask, p)
	}
	ADDQ(size, p.b)
	ADDQ(I32(panelBytes), p.dst)
	DECQ(count)
	JMP(LabelRef("panel"))
	Label("done")
	m.end()
}

// panelPointers are the registers of the parameters of a loop over panels.
type panelPointers struct{ dst, stride, a, b, w, d reg.Register }

// columns writes the loop over coordinates for the column points from byte half on that
// fill two registers, and stores what it finds.
func (m isa) columns(s statistic, rows, half int, weight, mask reg.VecVirtual, p panelPointers) {
	acc := m.accumulate(s, rows, half, weight, mask, p)
	m.finish(s, acc)
	out := GP64()
	MOVQ(p.dst, out)
	for i := range rows {
		m.do(load, acc[2*i], at(out, half))
		m.do(load, acc[2*i+1], at(out, half+m.bytes))
		if i < rows-1 {
			ADDQ(p.stride, out)
		}
	}
}

// accumulate writes that loop and returns the sums: two registers for each row.
func (m isa) accumulate(s statistic, rows, half int, weight, mask reg.VecVirtual, p panelPointers) []reg.VecVirtual {
	ap, bp, wp, left := GP64(), GP64(), GP64(), GP64()
	MOVQ(p.a, ap)
	LEAQ(at(p.b, half), bp)
	if s.weighted {
		MOVQ(p.w, wp)
	}
	MOVQ(p.d, left)
	acc := make([]reg.VecVirtual, 2*rows)
	for i := range acc {
		acc[i] = m.register()
		m.zero(acc[i])
	}
	loop, store := label("coordinate", half), label("store", half)
	TESTQ(left, left)
	JLE(LabelRef(store))
	Label(loop)
	b0, b1 := make([]reg.VecVirtual, s.parts), make([]reg.VecVirtual, s.parts)
	for k := range s.parts {
		b0[k], b1[k] = m.register(), m.register()
		m.do(load, at(bp, panelBytes*k), b0[k])
		m.do(load, at(bp, panelBytes*k+m.bytes), b1[k])
	}
	if s.weighted {
		m.do(broadcast, at(wp, 0), weight)
		ADDQ(Imm(uint64(m.size())), wp)
	}
	for i := range rows {
		x := m.rowPoint(s, ap, i)
		s.term(m, acc[2*i], x, b0, weight, mask)
		s.term(m, acc[2*i+1], x, b1, weight, mask)
	}
	ADDQ(I32(panelBytes*s.parts), ap)
	ADDQ(I32(panelBytes*s.parts), bp)
	DECQ(left)
	JNZ(LabelRef(loop))
	Label(store)
	return acc
}

// rowPoint returns the parts of a coordinate of row point i of the panel at a.
func (m isa) rowPoint(s statistic, a reg.Register, i int) []Op {
	x := make([]Op, s.parts)
	for k := range x {
		place := at(a, panelBytes*k+m.size()*i)
		if s.inRegister {
			x[k] = m.broadcasted(place)
		} else {
			x[k] = m.inLanes(place)
		}
	}
	return x
}

// abreast writes the loop over two column panels at a time for one row, which has too
// few sums in one panel to hide how long each addition takes. Their order is the same.
// Four panels were not faster: a single row is bound by the memory that panels lie in.
func (m isa) abreast(s statistic, weight, mask reg.VecVirtual, p panelPointers, size, count reg.Register) {
	Label("abreast")
	CMPQ(count, Imm(2))
	JL(LabelRef("panel"))
	for half := 0; half < panelBytes; half += 2 * m.bytes {
		m.columnsAbreast(s, half, weight, mask, p, size)
	}
	LEAQ(Mem{Base: p.b, Index: size, Scale: 2}, p.b)
	ADDQ(I32(2*panelBytes), p.dst)
	SUBQ(Imm(2), count)
	JMP(LabelRef("abreast"))
}

// columnsAbreast is columns for one row and two panels that lie size bytes apart.
func (m isa) columnsAbreast(s statistic, half int, weight, mask reg.VecVirtual, p panelPointers, size reg.Register) {
	ap, bp, wp, left := GP64(), GP64(), GP64(), GP64()
	MOVQ(p.a, ap)
	LEAQ(at(p.b, half), bp)
	if s.weighted {
		MOVQ(p.w, wp)
	}
	MOVQ(p.d, left)
	acc := make([]reg.VecVirtual, 4)
	for i := range acc {
		acc[i] = m.register()
		m.zero(acc[i])
	}
	loop, store := label("coordinateAbreast", half), label("storeAbreast", half)
	TESTQ(left, left)
	JLE(LabelRef(store))
	Label(loop)
	b, x := make([]reg.VecVirtual, s.parts), m.rowPoint(s, ap, 0)
	if s.weighted {
		m.do(broadcast, at(wp, 0), weight)
		ADDQ(Imm(uint64(m.size())), wp)
	}
	for i, from := range []Mem{{Base: bp}, {Base: bp, Index: size, Scale: 1}} {
		for register := range 2 {
			for k := range s.parts {
				b[k] = m.register()
				m.do(load, from.Offset(panelBytes*k+register*m.bytes), b[k])
			}
			s.term(m, acc[2*i+register], x, b, weight, mask)
		}
	}
	for _, pointer := range []reg.Register{ap, bp} {
		ADDQ(I32(panelBytes*s.parts), pointer)
	}
	DECQ(left)
	JNZ(LabelRef(loop))
	Label(store)
	m.finish(s, acc)
	for i := range acc {
		m.do(load, acc[i], at(p.dst, i/2*panelBytes+half+i%2*m.bytes))
	}
}

// finish turns accumulators into numbers.
func (m isa) finish(s statistic, acc []reg.VecVirtual) {
	if s.finish == nil {
		return
	}
	for _, a := range acc {
		s.finish(m, a)
	}
}

// squaredDistances writes the step from inner products to squared distances.
func squaredDistances(machines []isa) {
	m := machines[0]
	limit := GLOBL("most"+m.number(), RODATA|NOPTR)
	if m.single {
		DATA(0, U32(math.Float32bits(math.MaxFloat32)))
	} else {
		DATA(0, bits(math.MaxFloat64))
	}
	two := GLOBL("two"+m.number(), RODATA|NOPTR)
	if m.single {
		DATA(0, U32(math.Float32bits(2)))
	} else {
		DATA(0, bits(2))
	}
	for _, m := range machines {
		m.fromNorms(limit, two)
	}
}

// fromNorms writes the loop over n columns, a multiple of the lanes. The mask collects
// where s ≥ kept·norms and norms ≤ the largest number, neither of which holds for NaN.
func (m isa) fromNorms(limitAt, twoAt Mem) {
	m.begin("fromNorms"+m.name, fmt.Sprintf("is the loop of [SquaredFromInner] over n columns, a multiple of %d. It returns 0 where one is doubtful.", 64/m.size()),
		fmt.Sprintf("s, cols *%[1]s, n int, row, kept %[1]s) (fine uint64", m.number()))
	s, cols := pointer("s"), pointer("cols")
	n := Load(Param("n"), GP64())
	row, kept, limit, two := m.register(), m.register(), m.register(), m.register()
	m.broadcastParameter("row", row)
	m.broadcastParameter("kept", kept)
	m.do(broadcast, limitAt, limit)
	m.do(broadcast, twoAt, two)
	fine := GP64()
	MOVQ(I32(-1), fine)
	var all reg.VecVirtual
	if !m.wide() {
		all = m.register()
		VPCMPEQQ(all, all, all)
	}
	Label("columns")
	CMPQ(n, I32(m.lanes()))
	JL(LabelRef("end"))
	norms, v, bound := m.register(), m.register(), m.register()
	m.do(add, at(cols, 0), row, norms)
	m.do(load, at(s, 0), v)
	m.do(fnma213, norms, two, v)
	m.do(load, v, at(s, 0))
	m.do(mul, norms, kept, bound)
	const lessOrEqual = 18 // quiet, false for NaN
	if m.wide() {
		k := K()
		bits := GP32()
		m.do(compare, Imm(lessOrEqual), v, bound, k)
		k2 := K()
		m.do(compare, Imm(lessOrEqual), limit, norms, k2)
		KANDW(k, k2, k)
		KMOVW(k, bits)
		ANDQ(bits.As64(), fine)
	} else {
		t := m.register()
		m.do(compare, Imm(lessOrEqual), v, bound, t)
		VANDPD(t, all, all)
		m.do(compare, Imm(lessOrEqual), limit, norms, t)
		VANDPD(t, all, all)
	}
	ADDQ(I32(m.bytes), s)
	ADDQ(I32(m.bytes), cols)
	SUBQ(I32(m.lanes()), n)
	JMP(LabelRef("columns"))
	Label("end")
	if !m.wide() {
		bits := GP32()
		VPMOVMSKB(all, bits)
		MOVQ(bits.As64(), fine)
		NOTL(fine.As32())
		TESTL(fine.As32(), fine.As32())
	} else {
		NOTQ(fine)
		TESTQ(U32(1<<m.lanes()-1), fine)
	}
	full := GP64()
	MOVQ(I32(0), full)
	SETEQ(full.As8())
	Store(full, ReturnIndex(0))
	m.end()
}
