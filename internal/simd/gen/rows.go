package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowProducts are what one pass over a few rows of a matrix computes.
var rowProducts = []struct {
	name, doc, parameters string
	dot, add              bool
}{
	{"dotRows", "stores Σⱼ a[i·lda+j]·x[j] in s[i]", "s, x, a *%s, lda, n int", true, false},
	{"addRows", "adds Σᵢ w[i]·a[i·lda+j] to y[j]", "y, w, a *%s, lda, n int", false, true},
	{"dotAddRows", "does what dotRows and addRows do, reading a once", "s, x, y, w, a *%s, lda, n int", true, true},
}

// rows writes the loops over the columns of 1, 2, 4, … rows at a time, up to as many as
// float64 fit in a register. What is left after whole registers is one register under a
// mask.
func rows() {
	for _, m := range append(doubles, singles...) {
		for i := range rowProducts {
			for count := 1; count <= m.bytes/8; count *= 2 {
				m.rowProduct(i, count)
			}
		}
	}
	for _, m := range singles {
		m.addRowsWide()
	}
}

// rowLoop is the state of such a loop: pointers and registers.
type rowLoop struct {
	isa
	dot, add bool
	x, y     reg.Register
	at       []Mem // the rows
	w, sum   []reg.VecVirtual
	bases    []reg.Register
	left     some // the columns after whole registers
}

func (m isa) rowProduct(product, count int) {
	p := &rowProducts[product]
	m.begin(fmt.Sprintf("%s%sx%d", p.name, m.name, count), fmt.Sprintf("%s, for %d rows and n columns.", p.doc, count), fmt.Sprintf(p.parameters, m.number()))
	l := &rowLoop{isa: m, dot: p.dot, add: p.add}
	a := pointer("a")
	lda, n := Load(Param("lda"), GP64()), Load(Param("n"), GP64())
	SHLQ(Imm(m.shift()), lda)
	l.at, l.bases = rowPlaces(a, lda, count)
	if p.dot {
		l.x = pointer("x")
		for range count {
			sum := m.register()
			m.zero(sum)
			l.sum = append(l.sum, sum)
		}
	}
	if p.add {
		l.y = pointer("y")
		w := pointer("w")
		for i := range count {
			weight := m.register()
			m.do(broadcast, at(w, m.size()*i), weight)
			l.w = append(l.w, weight)
		}
	}
	Label("loop")
	SUBQ(I32(m.lanes()), n)
	JL(LabelRef("rest"))
	l.step(false)
	l.advance()
	JMP(LabelRef("loop"))
	Label("rest")
	ADDQ(I32(m.lanes()), n)
	JZ(LabelRef("done"))
	l.left = m.first(n)
	l.step(true)
	Label("done")
	if p.dot {
		s := pointer("s")
		for i, sum := range l.sum {
			m.do(both(VMOVSS, VMOVSD), m.reduce(add, sum), at(s, m.size()*i))
		}
	}
	m.end()
}

// rowPlaces returns the addresses of rows that begin lda bytes apart: of each four, three
// are reached from the first by lda and 2·lda, the last from a pointer of its own. bases
// are the pointers, of which the first is a.
func rowPlaces(a, lda reg.Register, count int) (places []Mem, bases []reg.Register) {
	base := a
	for i := range count {
		switch i % 4 {
		case 0:
			if i > 0 {
				next := GP64()
				LEAQ(Mem{Base: base, Index: lda, Scale: 4}, next)
				base = next
			}
			bases = append(bases, base)
			places = append(places, Mem{Base: base})
		case 1, 2:
			places = append(places, Mem{Base: base, Index: lda, Scale: uint8(i % 4)})
		case 3:
			last := GP64()
			LEAQ(Mem{Base: base, Index: lda, Scale: 2}, last)
			ADDQ(lda, last)
			bases = append(bases, last)
			places = append(places, Mem{Base: last})
		}
	}
	return places, bases
}

// step handles one register of columns.
func (l *rowLoop) step(masked bool) {
	var x, y reg.VecVirtual
	if l.dot {
		x = l.load(Mem{Base: l.x}, masked)
	}
	if l.add {
		y = l.load(Mem{Base: l.y}, masked)
	}
	for i, from := range l.at {
		var a Op = from
		if masked || l.dot && l.add {
			a = l.load(from, masked)
		}
		if l.dot {
			l.do(fma231, a, x, l.sum[i])
		}
		if l.add {
			l.do(fma231, a, l.w[i], y)
		}
	}
	if !l.add {
		return
	}
	if masked {
		l.left.store(y, Mem{Base: l.y})
	} else {
		l.do(load, y, Mem{Base: l.y})
	}
}

func (l *rowLoop) load(from Mem, masked bool) reg.VecVirtual {
	v := l.register()
	if masked {
		l.left.load(from, v)
	} else {
		l.do(load, from, v)
	}
	return v
}

func (l *rowLoop) advance() {
	for _, p := range append([]reg.Register{l.x, l.y}, l.bases...) {
		if p != nil {
			ADDQ(I32(l.bytes), p)
		}
	}
}

// reduce joins the lanes of v by an operation, such as their sum, and leaves the result
// in the first: one half with the other, and so on.
func (m isa) reduce(operation instruction, v reg.VecVirtual) reg.Register {
	t := m.register()
	if m.wide() {
		VEXTRACTF64X4(Imm(1), v, t.AsY())
		m.do(operation, t.AsY(), v.AsY(), v.AsY())
	}
	VEXTRACTF128(Imm(1), v.AsY(), t.AsX())
	m.do(operation, t.AsX(), v.AsX(), v.AsX())
	VUNPCKHPD(v.AsX(), v.AsX(), t.AsX())
	m.do(operation, t.AsX(), v.AsX(), v.AsX())
	if m.single {
		VMOVSHDUP(v.AsX(), t.AsX())
		m.do(operation, t.AsX(), v.AsX(), v.AsX())
	}
	return v.AsX()
}
