package main

import (
	"fmt"
	"math"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is a set of instructions and a width of numbers: the size of its registers and
// what differs in how they are used.
type isa struct {
	name   string // of the functions: "AVX2", or "32AVX2" for float32
	bytes  int    // of a register
	single bool   // float32
}

var (
	avx2     = isa{"AVX2", 32, false}
	avx512   = isa{"AVX512", 64, false}
	avx2x32  = isa{"32AVX2", 32, true}
	avx51232 = isa{"32AVX512", 64, true}
	doubles  = []isa{avx2, avx512}
	singles  = []isa{avx2x32, avx51232}
	all      = []isa{avx2, avx512, avx2x32, avx51232}
)

// size is that of a number in bytes, and shift its logarithm.
func (m isa) size() int {
	if m.single {
		return 4
	}
	return 8
}

func (m isa) shift() uint64 {
	if m.single {
		return 2
	}
	return 3
}

// number is the type of a number.
func (m isa) number() string {
	if m.single {
		return "float32"
	}
	return "float64"
}

// lanes is how many numbers a register holds.
func (m isa) lanes() int { return m.bytes / m.size() }

// wide reports whether registers have 512 bits, and instructions masks.
func (m isa) wide() bool { return m.bytes == 64 }

// rowCounts are the numbers of rows for which there are loops with two sums for each row: as
// many as leave room for what a step needs.
func (m isa) rowCounts() []int {
	if m.wide() {
		return []int{1, 2, 4, 8}
	}
	return []int{1, 2, 4}
}

func (m isa) register() reg.VecVirtual {
	if m.wide() {
		return ZMM()
	}
	return YMM()
}

// zero sets a register to 0.
func (m isa) zero(r reg.VecVirtual) {
	if m.wide() {
		VPXORQ(r, r, r)
	} else {
		VXORPD(r, r, r)
	}
}

// and stores the bits that x and y share in dst.
func (m isa) and(x, y Op, dst reg.VecVirtual) {
	if m.wide() {
		m.do(instruction{VPANDD, VPANDQ, VPANDD_BCST, VPANDQ_BCST}, x, y, dst)
	} else {
		VANDPD(x, y, dst)
	}
}

// begin starts a function that takes the given parameters. Its comment is its name and
// doc.
func (m isa) begin(name, doc, parameters string) {
	TEXT(name, NOSPLIT, "func("+parameters+")")
	Pragma("noescape")
	Doc(strings.Split(name+" "+doc, "\n")...)
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

// constant is a number of the width in memory, repeated over 32 bytes.
func (m isa) constant(name string, values ...float64) Mem {
	table := GLOBL(name, RODATA|NOPTR)
	for i, v := range values {
		for j := range 32 / m.size() {
			if m.single {
				DATA(32*i+4*j, U32(math.Float32bits(float32(v))))
			} else {
				DATA(32*i+8*j, bits(v))
			}
		}
	}
	return table
}

// broadcastParameter fills a register with a parameter.
func (m isa) broadcastParameter(name string, r reg.VecVirtual) {
	address, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	m.do(broadcast, address.Addr, r)
}

// instruction is one that exists for numbers of both widths. The second forms, where they are
// needed, take an [everyLane] for their first operand.
type instruction struct{ single, double, singleLanes, doubleLanes func(ops ...Op) }

var (
	load      = both(VMOVUPS, VMOVUPD)
	broadcast = both(VBROADCASTSS, VBROADCASTSD)
	add       = instruction{VADDPS, VADDPD, VADDPS_BCST, VADDPD_BCST}
	sub       = instruction{VSUBPS, VSUBPD, VSUBPS_BCST, VSUBPD_BCST}
	mul       = instruction{VMULPS, VMULPD, VMULPS_BCST, VMULPD_BCST}
	div       = both(VDIVPS, VDIVPD)
	least     = both(VMINPS, VMINPD)
	most      = both(VMAXPS, VMAXPD)
	root      = both(VSQRTPS, VSQRTPD)
	compare   = both(VCMPPS, VCMPPD)
	fma231    = instruction{VFMADD231PS, VFMADD231PD, VFMADD231PS_BCST, VFMADD231PD_BCST}
	fma213    = both(VFMADD213PS, VFMADD213PD)
	fnma231   = both(VFNMADD231PS, VFNMADD231PD)
	fnma213   = both(VFNMADD213PS, VFNMADD213PD)
	scalef    = both(VSCALEFPS, VSCALEFPD)
	rndscale  = both(VRNDSCALEPS, VRNDSCALEPD)
)

// both is an instruction without the forms for [everyLane].
func both(single, double func(ops ...Op)) instruction {
	return instruction{single: single, double: double}
}

// do writes an instruction of the width of numbers.
func (m isa) do(i instruction, ops ...Op) {
	single, double := i.single, i.double
	if x, ok := ops[0].(everyLane); ok {
		single, double, ops[0] = i.singleLanes, i.doubleLanes, x.Mem
	}
	if m.single {
		single(ops...)
	} else {
		double(ops...)
	}
}

// everyLane is a number in memory that is the first operand of an instruction in all of its lanes.
// Zen 4 loads two such a cycle with the instruction itself; one of its own that
// fills a register takes half a cycle of the units for arithmetic.
type everyLane struct{ Mem }

// inLanes returns a number in memory as an operand: as it is with AVX-512, and else in a register.
func (m isa) inLanes(x Mem) Op {
	if m.wide() {
		return everyLane{x}
	}
	return m.broadcasted(x)
}

// broadcasted returns a register full of a number in memory.
func (m isa) broadcasted(x Mem) reg.VecVirtual {
	r := m.register()
	m.do(broadcast, x, r)
	return r
}

// toInteger rounds the numbers of x to the nearest integers.
func (m isa) toInteger(x Op, dst reg.VecVirtual) {
	switch {
	case m.wide():
		m.do(rndscale, Imm(0), x, dst)
	case m.single:
		VROUNDPS(Imm(0), x, dst)
	default:
		VROUNDPD(Imm(0), x, dst)
	}
}

func label(name string, i int) string { return fmt.Sprintf("%s%d", name, i) }
