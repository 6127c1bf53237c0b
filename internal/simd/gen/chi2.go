package main

import (
	"math"
	"sync"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// chiSquared and harmonicMeans divide by the sum of the coordinates, or by the smallest
// number where that is 0: what they divide is 0 then, too. Every operation is rounded, as
// in Go.
var chiSquared = statistic{
	name: "chiSquared", doc: "Σⱼ (aⱼ−bⱼ)²/(aⱼ+bⱼ)", parts: 1, crowded: true, inRegister: true,
	term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, _, _ reg.VecVirtual) {
		t := m.difference(a, b)
		m.do(mul, t, t, t)
		m.addQuotient(t, a[0], b[0], acc)
	},
}

var harmonicMeans = statistic{
	name: "harmonicMeans", doc: "Σⱼ 2aⱼbⱼ/(aⱼ+bⱼ)", parts: 1, crowded: true, inRegister: true,
	term: func(m isa, acc reg.VecVirtual, a []Op, b []reg.VecVirtual, _, _ reg.VecVirtual) {
		t := m.register()
		m.do(mul, a[0], b[0], t)
		m.do(add, t, t, t)
		m.addQuotient(t, a[0], b[0], acc)
	},
}

// addQuotient adds t/(a+b) to acc and overwrites t.
func (m isa) addQuotient(t reg.VecVirtual, a Op, b, acc reg.VecVirtual) {
	total, smallest := m.register(), m.register()
	m.do(add, a, b, total)
	m.do(broadcast, smallestNumber(), smallest)
	m.do(most, total, smallest, total) // the second source, which a comparison with NaN returns
	m.do(div, total, t, t)
	m.do(add, t, acc, acc)
}

var smallestNumber = sync.OnceValue(func() Mem {
	at := GLOBL("smallestNumber", RODATA|NOPTR)
	DATA(0, bits(math.SmallestNonzeroFloat64))
	return at
})
