package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// normedParameters are those of a loop over column panels that makes distances of inner products
// and norms; number is the type of what it reads and writes.
func (m isa) normedParameters() string {
	return "dst *" + m.number() + ", stride int, a, b, rows, cols *" + m.number() + ", d, count int"
}

// normedPanels are the pointers of such a loop.
type normedPanels struct {
	isa
	panelPointers
	rows               int
	rowNorms, colNorms reg.Register
	count, size        reg.Register // size is that of a column panel in bytes
}

// newNormedPanels loads the parameters.
func (m isa) newNormedPanels(rows int) normedPanels {
	p := normedPanels{isa: m, rows: rows}
	p.dst, p.a, p.b = pointer("dst"), pointer("a"), pointer("b")
	p.stride, p.d = Load(Param("stride"), GP64()), Load(Param("d"), GP64())
	p.rowNorms, p.colNorms = pointer("rows"), pointer("cols")
	p.count, p.size = Load(Param("count"), GP64()), GP64()
	SHLQ(Imm(m.shift()), p.stride)
	MOVQ(p.d, p.size)
	SHLQ(Imm(7), p.size)
	return p
}

// next goes on to the next column panel.
func (p *normedPanels) next() {
	ADDQ(p.size, p.b)
	ADDQ(I32(panelBytes), p.dst)
	ADDQ(I32(panelBytes), p.colNorms)
}

// storeFine returns 1 where the sign of no lane is set, and else 0.
func (m isa) storeFine(doubted reg.VecVirtual) {
	signs, fine := GP32(), GP64()
	switch {
	case !m.wide():
		VMOVMSKPS(doubted, signs)
	case m.single:
		k := K()
		VPMOVD2M(doubted, k)
		KMOVW(k, signs)
	default:
		k := K()
		VPMOVQ2M(doubted, k)
		KMOVW(k, signs)
	}
	XORQ(fine, fine)
	TESTL(signs, signs)
	SETEQ(fine.As8())
	Store(fine, ReturnIndex(0))
}
