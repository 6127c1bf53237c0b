package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// products writes the microkernels of gemm.
func products() {
	gemm(avx512, 8, 3)
	gemm(avx2, 4, 3)
}

// unroll is how many steps of the sum one turn of the main loop takes.
const unroll = 4

// gemm writes the microkernel of a tile of rows × vectors registers. All of the tile
// stays in registers; one step loads a column of the left panel number by number and a
// row of the right panel, and does rows·vectors fused multiply-adds.
func gemm(m isa, rows, vectors int) {
	cols := vectors * m.lanes
	TEXT(fmt.Sprintf("gemm%dx%d%s", rows, cols, m.name), NOSPLIT, "func(c *float64, ldc int, a, b *float64, k, add int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("gemm%dx%d%s computes C ← A·B, or C ← C + A·B if add is not 0, for a row-major %d×%d tile C with ldc numbers", rows, cols, m.name, rows, cols),
		fmt.Sprintf("from row to row: c[i*ldc+j] = Σ_p a[%d*p+i]·b[%d*p+j], p = 0 … k−1 in this order, fused, from zero.", rows, cols))
	c := Load(Param("c"), GP64())
	ldc := Load(Param("ldc"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	k := Load(Param("k"), GP64())
	add := Load(Param("add"), GP64())
	SHLQ(U8(3), ldc)

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
		for j := 0; j < cols; j += 8 {
			PREFETCHT0(at(row, 8*j))
		}
		if i < rows-1 {
			ADDQ(ldc, row)
		}
	}

	step := func(s int) {
		right := make([]reg.VecVirtual, vectors)
		for j := range right {
			right[j] = m.register()
			VMOVUPD(at(b, 8*(s*cols+j*m.lanes)), right[j])
		}
		for i := range rows {
			left := m.register()
			VBROADCASTSD(at(a, 8*(s*rows+i)), left)
			for j := range right {
				VFMADD231PD(left, right[j], tile[i][j])
			}
		}
	}
	advance := func(steps int) {
		ADDQ(U32(8*rows*steps), a)
		ADDQ(U32(8*cols*steps), b)
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
	TESTQ(add, add)
	JZ(LabelRef("overwrite"))
	for i := range rows {
		for j := range tile[i] {
			p := at(c, 8*j*m.lanes)
			VADDPD(p, tile[i][j], tile[i][j])
			VMOVUPD(tile[i][j], p)
		}
		ADDQ(ldc, c)
	}
	m.end()
	Label("overwrite")
	for i := range rows {
		for j := range tile[i] {
			VMOVUPD(tile[i][j], at(c, 8*j*m.lanes))
		}
		ADDQ(ldc, c)
	}
	m.end()
}
