package main

import (
	"sync"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// common counts the bits that are set in both of two words: those of a byte are the
// entries of a table for its halves, and the bytes of a word are added up.
var common = statistic{
	name: "common", doc: "the number of bits that are set in both,", parts: 1, crowded: true, inRegister: true,
	term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, _, _ reg.VecVirtual) {
		both, low, shared := m.register(), m.register(), m.register()
		m.and(a[0], b[0], both)
		m.do(broadcast, bitCounts().Offset(32), shared) // the mask
		m.and(shared, both, low)
		VPSRLQ(Imm(4), both, both)
		m.and(shared, both, both)
		if m.wide() {
			VBROADCASTI64X2(bitCounts(), shared)
		} else {
			VBROADCASTI128(bitCounts(), shared)
		}
		VPSHUFB(low, shared, low)
		VPSHUFB(both, shared, both)
		VPADDB(low, both, both)
		m.zero(low)
		VPSADBW(low, both, both)
		VPADDQ(both, acc, acc)
	},
	finish: func(m isa, acc reg.VecVirtual) {
		if m.wide() {
			VCVTUQQ2PD(acc, acc)
			return
		}
		// 2⁵² plus a count has the count in its last bits.
		shifted := m.register()
		m.do(broadcast, bitCounts().Offset(40), shifted)
		VORPD(shifted, acc, acc)
		m.do(sub, shifted, acc, acc)
	},
}

// bitCounts returns the counts of the numbers 0 … 15, byte by byte and twice, the mask of
// the lower halves of bytes, and 2⁵². There is one in a file.
var bitCounts = sync.OnceValue(func() Mem {
	table := GLOBL("bitCounts", RODATA|NOPTR)
	for i := range 4 {
		DATA(8*i, U64([2]uint64{0x0302020102010100, 0x0403030203020201}[i%2]))
	}
	DATA(32, U64(0x0f0f0f0f0f0f0f0f))
	DATA(40, bits(0x1p52))
	return table
})
