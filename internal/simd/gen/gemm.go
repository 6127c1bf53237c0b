package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// products writes the microkernels of gemm.
func products() {
	for _, m := range all {
		rows := 4
		if m.wide() {
			rows = 8
		}
		gemm(m, rows, tileVectors, false)
		gemm(m, rows, tileVectors, true)
	}
}

// tileVectors is how many registers hold a row of a tile.
const tileVectors = 3

// unroll is how many steps of the sum one turn of the main loop takes.
const unroll = 4

// gemm writes the microkernel of a tile of rows × vectors registers. All of the tile
// stays in registers; one step loads a column of the left panel number by number and a
// row of the right panel, and does rows·vectors fused multiply-adds. The left factor may
// instead be any part of a matrix, with a stride from row to row and one from step to step.
func gemm(m isa, rows, vectors int, strided bool) {
	cols := vectors * m.lanes()
	name, left, parameters := "gemm", fmt.Sprintf("a[%d*p+i]", rows), "c *%[1]s, ldc int, a, b *%[1]s, k, add int"
	if strided {
		name, left, parameters = "gemmStrided", "a[i*rs+p*cs]", "c *%[1]s, ldc int, a *%[1]s, rs, cs int, b *%[1]s, k, add int"
	}
	m.begin(name+m.name,
		fmt.Sprintf("computes C ← A·B, or C ← C + A·B if add is not 0, for a row-major %d×%d tile C with ldc numbers\n"+
			"from row to row: c[i*ldc+j] = Σ_p %s·b[%d*p+j], p = 0 … k−1 in this order, fused, from zero.", rows, cols, left, cols),
		fmt.Sprintf(parameters, m.number()))
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	k := Load(Param("k"), GP64())
	accumulate := Load(Param("add"), GP64())
	SHLQ(Imm(m.shift()), ldc)
	f := leftFactor{isa: m, rows: rows, a: a}
	if strided {
		f.stride()
	}

	tile := make([][]reg.VecVirtual, rows)
	for i := range tile {
		tile[i] = make([]reg.VecVirtual, vectors)
		for j := range tile[i] {
			tile[i][j] = m.register()
			m.zero(tile[i][j])
		}
	}
	Comment("The tile of C is needed at the end: ask for it now.")
	row := GP64()
	MOVQ(c, row)
	for i := range rows {
		for line := 0; line < vectors*m.bytes; line += 64 {
			PREFETCHT0(at(row, line))
		}
		if i < rows-1 {
			ADDQ(ldc, row)
		}
	}

	step := func(s int) {
		right := make([]reg.VecVirtual, vectors)
		for j := range right {
			right[j] = m.register()
			m.do(load, at(b, (s*vectors+j)*m.bytes), right[j])
		}
		for i := range rows {
			left := m.register()
			m.do(broadcast, f.at(s, i), left)
			for j := range right {
				m.do(fma231, left, right[j], tile[i][j])
			}
		}
		f.next()
	}
	advance := func(steps int) {
		f.advance(steps)
		ADDQ(U32(vectors*m.bytes*steps), b)
		SUBQ(U32(steps), k)
	}
	SUBQ(U32(unroll), k)
	JL(LabelRef("rest"))
	Label("loop")
	for s := range unroll {
		step(s)
	}
	advance(unroll)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(U32(unroll), k)
	JZ(LabelRef("store"))
	Label("one")
	step(0)
	advance(1)
	JNZ(LabelRef("one"))

	Label("store")
	TESTQ(accumulate, accumulate)
	JZ(LabelRef("overwrite"))
	for i := range rows {
		for j := range tile[i] {
			p := at(c, j*m.bytes)
			m.do(add, p, tile[i][j], tile[i][j])
			m.do(load, tile[i][j], p)
		}
		ADDQ(ldc, c)
	}
	m.end()
	Label("overwrite")
	for i := range rows {
		for j := range tile[i] {
			m.do(load, tile[i][j], at(c, j*m.bytes))
		}
		ADDQ(ldc, c)
	}
	m.end()
}

// leftFactor is where the numbers of the left factor are: in a packed panel, or at the
// pointers to some of its rows, from which the others are multiples of rs away.
type leftFactor struct {
	isa
	rows   int
	a      reg.Register
	cs     reg.Register
	bases  []reg.Register
	places []Mem // of the rows of a matrix
}

// stride makes the factor a part of a matrix.
func (f *leftFactor) stride() {
	rs := Load(Param("rs"), GP64())
	f.cs = Load(Param("cs"), GP64())
	SHLQ(Imm(f.shift()), rs)
	SHLQ(Imm(f.shift()), f.cs)
	f.places, f.bases = rowPlaces(f.a, rs, f.rows)
}

// at returns the place of the number of row i in step s of a turn.
func (f *leftFactor) at(s, i int) Mem {
	if f.places != nil {
		return f.places[i]
	}
	return at(f.a, f.size()*(s*f.rows+i))
}

// next goes to the next step in a matrix.
func (f *leftFactor) next() {
	for _, p := range f.bases {
		ADDQ(f.cs, p)
	}
}

// advance goes to the next turn in a panel.
func (f *leftFactor) advance(steps int) {
	if f.places == nil {
		ADDQ(U32(f.size()*f.rows*steps), f.a)
	}
}
