package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rowProducts are what one pass over a few rows of a matrix computes.
var rowProducts = []struct {
	name, doc, parameters string
	dot, add              bool
}{
	{"dotRows", "stores Σⱼ a[i·lda+j]·x[j] in s[i]", "s, x, a *float64, lda, n int", true, false},
	{"addRows", "adds Σᵢ w[i]·a[i·lda+j] to y[j]", "y, w, a *float64, lda, n int", false, true},
	{"dotAddRows", "does what dotRows and addRows do, reading a once", "s, x, y, w, a *float64, lda, n int", true, true},
}

// rows writes the loops over the columns of 1, 2, 4, … rows at a time. What is left
// after whole registers is one register under a mask.
func rows() {
	masks := GLOBL("rowMasks", RODATA|NOPTR) // four times −1, four times 0, for AVX2
	for i := range 8 {
		v := uint64(0)
		if i < 4 {
			v = math.MaxUint64
		}
		DATA(8*i, U64(v))
	}
	for _, m := range []isa{avx2, avx512} {
		for i := range rowProducts {
			for count := 1; count <= m.lanes; count *= 2 {
				m.rowProduct(i, count, masks)
			}
		}
	}
}

// rowLoop is the state of such a loop: pointers and registers.
type rowLoop struct {
	isa
	dot, add bool
	x, y     reg.Register
	at       []Mem // the rows, addressed by three pointers and multiples of lda
	w, sum   []reg.VecVirtual
	bases    []reg.Register
	whole    int // columns in a turn of the main loop
	mask     reg.Register
	vmask    reg.VecVirtual
}

func (m isa) rowProduct(product, count int, masks Mem) {
	p := &rowProducts[product]
	m.begin(fmt.Sprintf("%s%sx%d", p.name, m.name, count), fmt.Sprintf("%s, for %d rows and n columns.", p.doc, count), p.parameters)
	l := &rowLoop{isa: m, dot: p.dot, add: p.add}
	a := pointer("a")
	lda, n := Load(Param("lda"), GP64()), Load(Param("n"), GP64())
	SHLQ(Imm(3), lda)
	l.rowsOf(a, lda, count)
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
			VBROADCASTSD(at(w, 8*i), weight)
			l.w = append(l.w, weight)
		}
	}
	Label("loop")
	SUBQ(I32(m.lanes), n)
	JL(LabelRef("rest"))
	l.step(false)
	l.advance()
	JMP(LabelRef("loop"))
	Label("rest")
	ADDQ(I32(m.lanes), n)
	JZ(LabelRef("done"))
	l.masked(n, masks)
	l.step(true)
	Label("done")
	if p.dot {
		s := pointer("s")
		for i, sum := range l.sum {
			VMOVSD(m.reduce(sum), at(s, 8*i))
		}
	}
	m.end()
}

// rowsOf makes the addresses of the rows: of each four, three are reached from the
// first by lda and 2·lda, the last from a pointer of its own.
func (l *rowLoop) rowsOf(a, lda reg.Register, count int) {
	base := a
	for i := range count {
		switch i % 4 {
		case 0:
			if i > 0 {
				next := GP64()
				LEAQ(Mem{Base: base, Index: lda, Scale: 4}, next)
				base = next
			}
			l.bases = append(l.bases, base)
			l.at = append(l.at, Mem{Base: base})
		case 1, 2:
			l.at = append(l.at, Mem{Base: base, Index: lda, Scale: uint8(i % 4)})
		case 3:
			last := GP64()
			LEAQ(Mem{Base: base, Index: lda, Scale: 2}, last)
			ADDQ(lda, last)
			l.bases = append(l.bases, last)
			l.at = append(l.at, Mem{Base: last})
		}
	}
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
			VFMADD231PD(a, x, l.sum[i])
		}
		if l.add {
			VFMADD231PD(a, l.w[i], y)
		}
	}
	if !l.add {
		return
	}
	switch {
	case !masked:
		VMOVUPD(y, Mem{Base: l.y})
	case l.lanes == 8:
		VMOVUPD(y, l.mask, Mem{Base: l.y})
	default:
		VMASKMOVPD(y, l.vmask, Mem{Base: l.y})
	}
}

func (l *rowLoop) load(from Mem, masked bool) reg.VecVirtual {
	v := l.register()
	switch {
	case !masked:
		VMOVUPD(from, v)
	case l.lanes == 8:
		VMOVUPD_Z(from, l.mask, v)
	default:
		VMASKMOVPD(from, l.vmask, v)
	}
	return v
}

func (l *rowLoop) advance() {
	for _, p := range append([]reg.Register{l.x, l.y}, l.bases...) {
		if p != nil {
			ADDQ(I32(l.bytes()), p)
		}
	}
}

// masked prepares the mask of the last n columns, fewer than the lanes.
func (l *rowLoop) masked(n reg.Register, masks Mem) {
	if l.lanes == 4 {
		first := GP64()
		LEAQ(masks.Offset(8*l.lanes), first)
		SHLQ(Imm(3), n)
		SUBQ(n, first)
		l.vmask = l.register()
		VMOVUPD(Mem{Base: first}, l.vmask)
		return
	}
	bits := GP64()
	MOVQ(I32(1), bits)
	SHLXQ(n, bits, bits)
	DECQ(bits)
	k := K()
	KMOVB(bits.As32(), k)
	l.mask = k
}

// reduce adds up the lanes of v and leaves the sum in the first: one half to the other,
// and so on.
func (m isa) reduce(v reg.VecVirtual) reg.Register {
	t := m.register()
	if m.lanes == 8 {
		VEXTRACTF64X4(Imm(1), v, t.AsY())
		VADDPD(t.AsY(), v.AsY(), v.AsY())
	}
	VEXTRACTF128(Imm(1), v.AsY(), t.AsX())
	VADDPD(t.AsX(), v.AsX(), v.AsX())
	VUNPCKHPD(v.AsX(), v.AsX(), t.AsX())
	VADDSD(t.AsX(), v.AsX(), v.AsX())
	return v.AsX()
}
