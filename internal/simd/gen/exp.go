package main

import (
	"math"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The constants of exp(x) = 2^k·exp(r), k = round(x/ln 2), r = x − k·ln 2. Every
// argument is first clamped to [−746, 710], beyond which the result is 0 or +Inf.
//
// exp(r) = 1 + r(1 + r·Q(r)) with Q of degree 9: the polynomial that agrees with
// (exp(r)−1−r)/r² at the ten Chebyshev points of |r| ≤ 1.0005·ln2/2, computed in exact
// arithmetic and rounded. Its relative error is below 1.7·10⁻¹⁷, 0.15·2⁻⁵³.
var expConstants = []float64{
	-746, 710, math.Log2E,
	0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, // ln 2 in two parts
	1,
	// Q, from the highest coefficient to the lowest
	0x1.af38d53857513p-26, 0x1.2891a8c1d838dp-22, 0x1.71de0d9c145d0p-19, 0x1.a019b8ef67c6cp-16,
	0x1.a01a01a7c8d47p-13, 0x1.6c16c17893833p-10, 0x1.11111111109adp-7, 0x1.5555555553d4fp-5,
	0x1.5555555555556p-3, 0x1.0000000000001p-1,
}

const (
	low = iota
	high
	log2e
	ln2
	ln2Low
	one
	highest // of Q
)

// replicas is how often each constant is stored: a whole register of AVX2.
const replicas = 4

// exponential writes the loops of exp and their constants.
func exponential() {
	table := GLOBL("expConstants", RODATA|NOPTR)
	for i, v := range expConstants {
		for j := range replicas {
			DATA(8*(replicas*i+j), bits(v))
		}
	}
	bias := GLOBL("expBias", RODATA|NOPTR)
	for j := range replicas {
		DATA(8*j, U64(1023))
	}
	for _, m := range []isa{avx2, avx512} {
		m.exponentials(table, bias)
	}
}

// exponentials writes the loop over n elements, a multiple of the lanes, first four
// registers at a time (two for AVX2), which hides the latency of the polynomial.
func (m isa) exponentials(table, bias Mem) {
	m.begin("exp"+m.name, "stores exp(scale·x[i]) in dst[i] for i < n, a multiple of "+strconv.Itoa(m.lanes())+".",
		"dst, x *float64, n int, scale float64")
	dst, x := pointer("dst"), pointer("x")
	n := Load(Param("n"), GP64())
	scale := m.register()
	m.broadcastParameter("scale", scale)
	c := make([]Op, len(expConstants))
	for i := range c {
		c[i] = table.Offset(8 * replicas * i)
		if m.lanes() == 8 {
			r := m.register()
			VBROADCASTSD(c[i], r)
			c[i] = r
		}
	}
	unroll := 4
	if m.lanes() == 4 {
		unroll = 2
	}
	for _, u := range []int{unroll, 1} {
		loop, done := label("loop", u), label("done", u)
		Label(loop)
		CMPQ(n, I32(u*m.lanes()))
		JL(LabelRef(done))
		m.expBlock(dst, x, scale, c, u, bias)
		ADDQ(I32(u*m.bytes), x)
		ADDQ(I32(u*m.bytes), dst)
		SUBQ(I32(u*m.lanes()), n)
		JMP(LabelRef(loop))
		Label(done)
	}
	m.end()
}

func (m isa) expBlock(dst, x reg.Register, scale reg.VecVirtual, c []Op, u int, bias Mem) {
	r, k, q := make([]reg.VecVirtual, u), make([]reg.VecVirtual, u), make([]reg.VecVirtual, u)
	for i := range u {
		r[i], k[i], q[i] = m.register(), m.register(), m.register()
		VMULPD(at(x, i*m.bytes), scale, r[i])
		// The limit is the first source and x the second, which a comparison with NaN
		// returns.
		limit := m.inRegister(c[low])
		VMAXPD(r[i], limit, r[i])
		limit = m.inRegister(c[high])
		VMINPD(r[i], limit, r[i])
		VMULPD(c[log2e], r[i], k[i])
		if m.lanes() == 8 {
			VRNDSCALEPD(Imm(0), k[i], k[i])
		} else {
			VROUNDPD(Imm(0), k[i], k[i])
		}
		VFNMADD231PD(c[ln2], k[i], r[i])
		VFNMADD231PD(c[ln2Low], k[i], r[i])
		if m.lanes() == 8 {
			VMOVAPD(c[highest], q[i])
		} else {
			VMOVUPD(c[highest], q[i])
		}
	}
	for _, coefficient := range append(append([]Op{}, c[highest+1:]...), c[one], c[one]) {
		for i := range u {
			VFMADD213PD(coefficient, r[i], q[i])
		}
	}
	for i := range u {
		m.scale2(q[i], k[i], bias)
		VMOVUPD(q[i], at(dst, i*m.bytes))
	}
}

// inRegister returns a register that holds the constant.
func (m isa) inRegister(c Op) reg.VecVirtual {
	if r, ok := c.(reg.VecVirtual); ok {
		return r
	}
	r := m.register()
	VMOVUPD(c, r)
	return r
}

// scale2 multiplies q by 2^k, rounding once where the result is subnormal: AVX2 does
// it in two steps of half the exponent, of which the first is exact.
func (m isa) scale2(q, k reg.VecVirtual, bias Mem) {
	if m.lanes() == 8 {
		VSCALEFPD(k, q, q)
		return
	}
	whole, half := XMM(), XMM()
	VCVTPD2DQY(k, whole)
	VPSRAD(Imm(1), whole, half)
	VPSUBD(half, whole, whole)
	for _, part := range []reg.VecVirtual{half, whole} {
		power := YMM()
		VPMOVSXDQ(part, power)
		VPADDQ(bias, power, power)
		VPSLLQ(Imm(52), power, power)
		VMULPD(power, q, q)
	}
}
