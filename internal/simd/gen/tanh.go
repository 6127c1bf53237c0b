package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// tanh|x| = e/(e + 2) with e = exp(2|x|) − 1 = 2^k·q + (2^k − 1), where 2|x| = k·ln 2 + r
// and q = exp(r) − 1 = r + r²·Q(r) with the Q of exponentials: nothing cancels by much.
// 2|x| is cut at 40, where the result is 1.
const (
	tanhSign = iota // mask of all bits but the sign
	tanhEnd
	tanhLog2e
	tanhLn2
	tanhLn2Low
	tanhOne
	tanhTwo
	tanhBias
	tanhQ // from the highest coefficient to the lowest
)

var tanhConstants = append([]float64{
	math.Float64frombits(math.MaxInt64), 40, math.Log2E, 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 1, 2,
	math.Float64frombits(1023),
}, expConstants[6:]...)

// hyperbolicTangents writes the loops of tanh(scale·x).
func hyperbolicTangents() {
	table := avx2.constant("tanh", tanhConstants...)
	for _, m := range doubles {
		m.beginElementwise("tanh", "tanh(scale·x[i])")
		m.elementwise(1, func(x []reg.VecVirtual) []reg.VecVirtual { return []reg.VecVirtual{m.tanh(x[0], table)} })
	}
}

func (m isa) tanh(x reg.VecVirtual, table Mem) reg.VecVirtual {
	size, r, k := m.register(), m.register(), m.register()
	m.and(m.fetch(table, tanhSign), x, size)
	m.do(add, size, size, r)
	// The limit is the first source and r the second, which a comparison with NaN returns.
	m.do(least, r, m.fetch(table, tanhEnd), r)
	m.do(mul, m.fetch(table, tanhLog2e), r, k)
	m.toInteger(k, k)
	m.do(fnma231, m.fetch(table, tanhLn2), k, r)
	m.do(fnma231, m.fetch(table, tanhLn2Low), k, r)
	q := m.fetch(table, tanhQ)
	for i := tanhQ + 1; i < len(tanhConstants); i++ {
		m.do(fma213, m.fetch(table, i), r, q)
	}
	m.do(mul, r, q, q)
	m.do(fma213, r, r, q) // r + r·(r·Q)

	power, less := m.register(), m.register()
	VMOVAPD(m.fetch(table, tanhOne), power)
	m.scale2(power, k, table.Offset(32*tanhBias))
	m.do(sub, m.fetch(table, tanhOne), power, less)
	m.do(fma213, less, power, q) // e
	m.do(add, m.fetch(table, tanhTwo), q, less)
	m.do(div, less, q, q)

	sign := m.register() // the bits of x that are not those of |x|
	if m.wide() {
		VPXORQ(x, size, sign)
		VPORQ(sign, q, q)
	} else {
		VXORPD(x, size, sign)
		VORPD(sign, q, q)
	}
	return q
}
