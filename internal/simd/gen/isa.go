package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is a set of instructions: the size of its registers and what differs in how
// they are used.
type isa struct {
	name  string
	lanes int // float64 per register
}

var (
	avx2   = isa{"AVX2", 4}
	avx512 = isa{"AVX512", 8}
)

func (m isa) bytes() int { return 8 * m.lanes }

func (m isa) register() reg.VecVirtual {
	if m.lanes == 8 {
		return ZMM()
	}
	return YMM()
}

// zero sets a register to 0.
func (m isa) zero(r reg.VecVirtual) {
	if m.lanes == 8 {
		VPXORQ(r, r, r)
	} else {
		VXORPD(r, r, r)
	}
}

// and stores the bits that x and y share in dst.
func (m isa) and(x, y Op, dst reg.VecVirtual) {
	if m.lanes == 8 {
		VPANDQ(x, y, dst)
	} else {
		VANDPD(x, y, dst)
	}
}

// begin starts a function that takes the given parameters.
func (m isa) begin(name, doc, parameters string) {
	TEXT(name, NOSPLIT, "func("+parameters+")")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s %s", name, doc))
}

// end returns to code that may use the older halves of the registers.
func (m isa) end() {
	VZEROUPPER()
	RET()
}

// pointer loads a parameter.
func pointer(name string) reg.Register { return Load(Param(name), GP64()) }

func at(base reg.Register, disp int) Mem { return Mem{Base: base, Disp: disp} }

// bits is a constant in memory. A whole number written as such would be taken for an
// integer by the assembler.
func bits(v float64) U64 { return U64(math.Float64bits(v)) }
