package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	// mostRows is the largest number of rows of a loop.
	mostRows = 8
	// unit is how many coordinates are added at a time, see [gaussianLoop.unit].
	unit = 4
)

// gaussianLoop is the state of a loop of simd.Gaussians32.
type gaussianLoop struct {
	normedPanels
	powers *powers
	guard  *guard
	paired bool // the loop of simd.PairedGaussians32
}

// gaussians writes the loops over column panels for numbers of rows, see [isa.panel].
func (m isa) gaussians(powers *powers, eighth Mem) {
	for _, paired := range []bool{false, true} {
		for _, rows := range m.rowCounts() {
			m.gaussianLoop(rows, powers, eighth, paired)
		}
	}
	m.halfSquares()
}

// gaussianLoop writes one of them.
func (m isa) gaussianLoop(rows int, powers *powers, eighth Mem, paired bool) {
	name, of, least := "gaussians", "Gaussians32", "0"
	if paired {
		name, of = "pairedGaussians", "PairedGaussians32"
	}
	if rows == mostRows || paired {
		least = fmt.Sprint(2*mostRows - 1)
	}
	m.begin(fmt.Sprintf("%s%sx%d", name, m.name, rows),
		fmt.Sprintf("is the loop of [%s] over %d row points and count > 0 column panels of d > %s coordinates.\nIt returns 0 where one is doubtful.", of, rows, least),
		m.normedParameters()+") (fine uint64")
	l := &gaussianLoop{normedPanels: m.newNormedPanels(rows), powers: powers, paired: paired}
	powers.prepare()
	l.guard = m.newGuard(eighth)
	if rows == mostRows {
		l.overlapped()
	} else {
		l.oneByOne()
	}
	l.storeFine(l.guard.doubted)
	m.end()
}

// halfSquares writes the loop of simd.PairedHalfSquares32.
func (m isa) halfSquares() {
	m.begin("pairedHalfSquares"+m.name, "is the loop of [PairedHalfSquares32] over count > 0 column panels of d ≥ 4 coordinates.", m.normedParameters())
	l := &gaussianLoop{normedPanels: m.newNormedPanels(1), paired: true}
	Label("panel")
	for half, s := range l.sums() {
		for _, step := range l.halfSquare(s, m.register(), l.rowNorms, half) {
			step()
		}
		m.do(load, s, at(l.dst, half*m.bytes))
	}
	l.next()
	DECQ(l.count)
	JNZ(LabelRef("panel"))
	m.end()
}

// sums returns the inner products of a panel, of each row in two registers.
func (l *gaussianLoop) sums() []reg.VecVirtual {
	if !l.paired {
		return l.accumulate(inner, l.rows, 0, nil, nil, l.panelPointers)
	}
	acc := make([]reg.VecVirtual, 2*l.rows)
	for half := range 2 {
		sums := l.registers(l.rows)
		l.half(label("half", half), half, l.b, sums)
		for i, s := range sums {
			acc[2*i+half] = s
		}
	}
	return acc
}

// oneByOne writes the loop that makes the powers of a panel when its inner products are there.
func (l *gaussianLoop) oneByOne() {
	Label("panel")
	acc := l.sums()
	out, norms := GP64(), GP64()
	MOVQ(l.dst, out)
	MOVQ(l.rowNorms, norms)
	for i := range l.rows {
		for half := range 2 {
			for _, step := range l.value(acc[2*i+half], norms, out, half) {
				step()
			}
		}
		ADDQ(l.stride, out)
		ADDQ(Imm(4), norms)
	}
	l.next()
	DECQ(l.count)
	JNZ(LabelRef("panel"))
}

// next goes on to the next column panel.
func (l *gaussianLoop) next() {
	l.normedPanels.next()
	if l.paired { // what the half squares must be at least lies behind the norms
		ADDQ(I32(panelBytes), l.colNorms)
	}
}

// halfSquare returns the steps that turn the inner products of a row with one half of the panel
// that colNorms points to, into s; norms is overwritten with the sum of the norms.
func (l *gaussianLoop) halfSquare(s, norms reg.VecVirtual, row reg.Register, half int) []func() {
	return []func(){
		func() { l.do(load, at(l.colNorms, half*l.bytes), norms) },
		func() { l.do(add, l.inLanes(at(row, 0)), norms, norms) },
		func() { l.do(sub, s, norms, s) },
	}
}

// value returns the steps that turn the same inner products into powers and store them at out.
func (l *gaussianLoop) value(s reg.VecVirtual, row, out reg.Register, half int) []func() {
	norms := l.register()
	steps := l.halfSquare(s, norms, row, half)
	if l.paired {
		steps = append(steps,
			func() { l.do(load, at(l.colNorms, panelBytes+half*l.bytes), norms) },
			func() { l.do(add, l.inLanes(at(row, panelBytes)), norms, norms) })
	} else {
		steps = append(steps, func() { l.guard.share(norms) })
	}
	power, q := l.powers.steps(s)
	steps = append(append(steps, l.guard.steps(s, norms)...), power...)
	return append(steps, func() { l.do(load, q, at(out, half*l.bytes)) })
}

// overlapped writes the loop over half panels that makes the powers of one while the inner products
// of the next are added up, since one takes the units for multiplications and the other those for
// additions: powers of two rows for every unit of the first 2·rows coordinates.
func (l *gaussianLoop) overlapped() {
	first, second := l.registers(l.rows), l.registers(l.rows)
	l.half("first", 0, l.b, first)
	Label("panel")
	l.halfBeside("second", 1, l.b, second, first)
	DECQ(l.count)
	JZ(LabelRef("last"))
	ahead := GP64()
	LEAQ(Mem{Base: l.b, Index: l.size, Scale: 1}, ahead)
	l.halfBeside("ahead", 0, ahead, first, second)
	l.next()
	JMP(LabelRef("panel"))

	Label("last")
	out, norms := GP64(), pointer("rows")
	MOVQ(l.dst, out)
	for _, s := range second {
		for _, step := range l.valueOfNext(s, norms, out, 1) {
			step()
		}
	}
}

// half writes the loops over the coordinates of half a panel at b, which leave the sums in acc.
func (l *gaussianLoop) half(name string, half int, b reg.Register, acc []reg.VecVirtual) {
	h := l.newHalf(name, half, b, acc)
	MOVQ(l.d, h.left)
	h.units()
}

// halfBeside is half with the powers of the sums that wait, those of the half panel before.
func (l *gaussianLoop) halfBeside(name string, half int, b reg.Register, acc, waiting []reg.VecVirtual) {
	h := l.newHalf(name, half, b, acc)
	out, norms := GP64(), pointer("rows") // loaded again: there are not enough registers to keep them
	MOVQ(l.dst, out)
	for k := 0; k < l.rows; k += 2 {
		steps := append(l.valueOfNext(waiting[k], norms, out, 1-half), l.valueOfNext(waiting[k+1], norms, out, 1-half)...)
		h.unit(k*unit/2*panelBytes, steps)
	}
	ADDQ(I32(unit/2*l.rows*panelBytes), h.a)
	ADDQ(I32(unit/2*l.rows*panelBytes), h.b)
	Load(Param("d"), h.left)
	SUBQ(Imm(uint64(unit/2*l.rows)), h.left)
	h.units()
}

// valueOfNext is value and goes on to the next row.
func (l *gaussianLoop) valueOfNext(s reg.VecVirtual, row, out reg.Register, half int) []func() {
	return append(l.value(s, row, out, half), func() {
		ADDQ(l.stride, out)
		ADDQ(Imm(4), row)
	})
}

// halfPanel is the state of the loops over the coordinates of half a panel.
type halfPanel struct {
	*gaussianLoop
	name string
	a, b reg.Register
	left reg.GPVirtual // coordinates
	acc  []reg.VecVirtual
}

// newHalf starts with sums of 0.
func (l *gaussianLoop) newHalf(name string, half int, b reg.Register, acc []reg.VecVirtual) *halfPanel {
	h := &halfPanel{gaussianLoop: l, name: name, a: pointer("a"), b: GP64(), left: GP64(), acc: acc}
	LEAQ(at(b, half*l.bytes), h.b)
	for _, s := range acc {
		l.zero(s)
	}
	return h
}

// registers returns n of them.
func (m isa) registers(n int) []reg.VecVirtual {
	r := make([]reg.VecVirtual, n)
	for i := range r {
		r[i] = m.register()
	}
	return r
}

// units adds the coordinates that are left.
func (h *halfPanel) units() {
	CMPQ(h.left, Imm(unit))
	JL(LabelRef(h.name + "Rest"))
	Label(h.name + "Units")
	h.unit(0, nil)
	h.advance(unit)
	CMPQ(h.left, Imm(unit))
	JGE(LabelRef(h.name + "Units"))
	Label(h.name + "Rest")
	TESTQ(h.left, h.left)
	JZ(LabelRef(h.name + "Done"))
	Label(h.name + "Coordinate")
	from := h.column(0)
	for i, sum := range h.acc {
		h.do(fma231, h.row(i, 0), from, sum)
	}
	h.advance(1)
	JNZ(LabelRef(h.name + "Coordinate"))
	Label(h.name + "Done")
}

// advance goes on by a number of coordinates; the last instruction compares what is left with 0.
func (h *halfPanel) advance(coordinates int) {
	ADDQ(I32(coordinates*panelBytes), h.a)
	ADDQ(I32(coordinates*panelBytes), h.b)
	SUBQ(Imm(uint64(coordinates)), h.left)
}

// row is a number of row point i, and column those of the column points.
func (h *halfPanel) row(i, disp int) Op { return h.inLanes(at(h.a, disp+4*i)) }

func (h *halfPanel) column(disp int) reg.VecVirtual {
	r := h.register()
	h.do(load, at(h.b, disp), r)
	return r
}

// unit adds four coordinates and spreads other steps among the instructions. Of paired points the
// last two make one product,
//
//	x₃y₃ + x₄y₄ = (x₃ + y₄)(x₄ + y₃) − x₃x₄ − y₃y₄,
//
// which takes one multiplication and two additions (Winograd, IEEE Trans. Computers C-17, 1968).
func (h *halfPanel) unit(disp int, steps []func()) {
	var y [unit]reg.VecVirtual
	for k := range y {
		y[k] = h.column(disp + k*panelBytes)
	}
	spread := func(part, parts int) {
		for _, step := range steps[len(steps)*part/parts : len(steps)*(part+1)/parts] {
			step()
		}
	}
	for i, sum := range h.acc {
		x := func(k int) Op { return h.row(i, disp+k*panelBytes) }
		terms := []func(){
			func() { h.do(fma231, x(0), y[0], sum) },
			func() { h.do(fma231, x(1), y[1], sum) },
		}
		if h.paired {
			t, u := h.register(), h.register()
			terms = append(terms,
				func() { h.do(add, x(2), y[3], t) },
				func() { h.do(add, x(3), y[2], u) },
				func() { h.do(fma231, t, u, sum) })
		} else {
			terms = append(terms,
				func() { h.do(fma231, x(2), y[2], sum) },
				func() { h.do(fma231, x(3), y[3], sum) })
		}
		for k, term := range terms {
			term()
			spread(i*len(terms)+k, len(h.acc)*len(terms))
		}
	}
}
