package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// With k = round(2x/π) and r = x − k·π/2, |r| ≤ π/4, and z = r²,
//
//	sin(r) = r + r·z·S(z),  cos(r) = 1 − z/2 + z²·C(z),
//
// and sin(x) and cos(x) are these two, exchanged where k is odd and with signs from k. π/2 is
// taken in three parts: x − k·(the first) is exact with one rounding at the end, which is none
// while |k| < 2⁵². S and C of degree 5 agree with (sin(√z)/√z − 1)/z and (cos(√z) − 1 + z/2)/z²
// at the six Chebyshev points of 0 ≤ z ≤ 0.6175, computed in exact arithmetic and rounded. Their
// errors are below 1.9·10⁻¹⁷ of sin(r), 0.17·2⁻⁵³, and 1.3·10⁻¹⁸ of cos(r).
const (
	wavesSize    = iota // mask of all bits but the sign
	wavesSign           // mask of the sign
	wavesEnd            // 2³⁰, beyond which the parts of π/2 do not suffice
	wavesInverse        // 2/π
	wavesShift          // 1.5·2⁵²: adding it rounds to an integer, which is then in the last bits
	wavesOneBits        // bits of the integer 1
	wavesPi             // π/2
	wavesPiMiddle
	wavesPiLow
	wavesOne
	wavesHalf
	wavesS // the coefficients of S and C, from the highest to the lowest
)

var wavesConstants = []float64{
	math.Float64frombits(math.MaxInt64), math.Copysign(0, -1), 0x1p30, 2 / math.Pi, 0x1.8p52, math.Float64frombits(1),
	0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110, 1, 0.5,
	0x1.5e0a4fb47ace3p-33, -0x1.ae6008d0f0520p-26, 0x1.71de37946eb45p-19, -0x1.a01a019e820acp-13, 0x1.1111111110babp-7, -0x1.5555555555555p-3,
	-0x1.907cd8f26aa3fp-37, 0x1.1eeb67d014ecep-29, -0x1.27e4fa16cc1bcp-22, 0x1.a01a019f4ddfdp-16, -0x1.6c16c16c16963p-10, 0x1.5555555555555p-5,
}

// waves writes the loops of simd.Sincos.
func waves() {
	table := avx2.constant("waves", wavesConstants...)
	for _, m := range doubles {
		m.begin("sincos"+m.name, `stores amplitude·sin(x[i]) in sin[i] and amplitude·cos(x[i]) in cos[i] for i < n,
and in beyond another number than 0 where some |x[i]| is not below 2³⁰.`,
			"sin, cos, x *float64, n int, amplitude float64, beyond *uint64")
		m.waves(table)
	}
}

func (m isa) waves(table Mem) {
	sin, cos, x := pointer("sin"), pointer("cos"), pointer("x")
	n := Load(Param("n"), GP64())
	amplitude := m.register()
	m.broadcastParameter("amplitude", amplitude)
	w := wave{m, m.constants(table.Offset(32*wavesS), len(wavesConstants)-wavesS), table, amplitude, m.newLanesSeen()}
	Label("loop")
	CMPQ(n, I32(m.lanes()))
	JL(LabelRef("done"))
	r := m.register()
	m.do(load, at(x, 0), r)
	s, c := w.of(r)
	m.do(load, s, at(sin, 0))
	m.do(load, c, at(cos, 0))
	for _, p := range []reg.Register{sin, cos, x} {
		ADDQ(I32(m.bytes), p)
	}
	SUBQ(I32(m.lanes()), n)
	JMP(LabelRef("loop"))
	Label("done")
	TESTQ(n, n)
	JZ(LabelRef("end"))
	some := m.first(n)
	r = m.register()
	some.load(at(x, 0), r)
	s, c = w.of(r)
	some.store(s, at(sin, 0))
	some.store(c, at(cos, 0))
	Label("end")
	w.seen.store(pointer("beyond"))
	m.end()
}

// wave is what both parts of the loop share.
type wave struct {
	isa
	coefficients []Op // of S and C
	table        Mem
	amplitude    reg.VecVirtual
	seen         lanesSeen // with numbers beyond the end
}

// of returns the sines and cosines of x, which it leaves as it is.
func (w wave) of(x reg.VecVirtual) (sin, cos reg.VecVirtual) {
	k, bits, r, z := w.register(), w.register(), w.register(), w.register()
	w.and(w.constant(wavesSize), x, z)
	w.seen.add(notLess, z, w.inRegister(w.constant(wavesEnd)))

	w.do(load, w.constant(wavesShift), bits)
	w.do(fma231, w.constant(wavesInverse), x, bits) // 1.5·2⁵² + k
	w.do(sub, w.constant(wavesShift), bits, k)
	VMOVAPD(x, r)
	for _, part := range []int{wavesPi, wavesPiMiddle, wavesPiLow} {
		w.do(fnma231, w.constant(part), k, r)
	}
	w.do(mul, r, r, z)
	s, c := w.polynomial(z, w.coefficients[:6]), w.polynomial(z, w.coefficients[6:])
	cube, half, one := w.register(), w.register(), w.register()
	w.do(mul, z, r, cube)
	w.do(fma213, r, cube, s) // r + r·z·S
	w.do(mul, w.constant(wavesHalf), z, half)
	w.do(load, w.constant(wavesOne), one)
	w.do(sub, half, one, cube) // 1 − z/2, rounded
	w.do(sub, cube, one, one)
	w.do(sub, half, one, half) // and what the rounding left off
	w.do(mul, z, z, z)
	w.do(fma213, half, z, c)
	w.do(add, cube, c, c)

	sin, cos = w.register(), w.register()
	w.exchange(bits, s, c, sin, cos)
	w.turn(bits, sin)
	VPADDQ(w.constant(wavesOneBits), bits, bits) // the cosine is the sine of a quarter more
	w.turn(bits, cos)
	w.do(mul, w.amplitude, sin, sin)
	w.do(mul, w.amplitude, cos, cos)
	return sin, cos
}

// constant is an operand: with 512 bits there are registers for the coefficients alone.
func (w wave) constant(i int) Op {
	if w.wide() {
		return w.fetch(w.table, i)
	}
	return w.table.Offset(32 * i)
}

// polynomial returns that of the coefficients, the highest first.
func (w wave) polynomial(z reg.VecVirtual, coefficients []Op) reg.VecVirtual {
	p := w.register()
	w.do(load, coefficients[0], p)
	for _, c := range coefficients[1:] {
		w.do(fma213, c, z, p)
	}
	return p
}

// exchange stores s and c in sin and cos, and the other way round where k is odd.
func (w wave) exchange(bits, s, c, sin, cos reg.VecVirtual) {
	odd := w.register()
	VPSLLQ(Imm(63), bits, odd)
	if w.wide() {
		k := K()
		VPMOVQ2M(odd, k)
		VBLENDMPD(c, s, k, sin)
		VBLENDMPD(s, c, k, cos)
		return
	}
	VBLENDVPD(odd, c, s, sin)
	VBLENDVPD(odd, s, c, cos)
}

// turn changes the sign of x where the second bit of an integer is set.
func (w wave) turn(bits, x reg.VecVirtual) {
	sign := w.register()
	VPSLLQ(Imm(62), bits, sign)
	w.and(w.constant(wavesSign), sign, sign)
	if w.wide() {
		VPXORQ(sign, x, x)
	} else {
		VXORPD(sign, x, x)
	}
}

// lanesSeen are the lanes for which a relation held in any turn of a loop.
type lanesSeen struct {
	isa
	mask reg.Register
}

func (m isa) newLanesSeen() lanesSeen {
	if m.wide() {
		k := K()
		KXORW(k, k, k)
		return lanesSeen{m, k}
	}
	r := m.register()
	m.zero(r)
	return lanesSeen{m, r}
}

// add compares doubles.
func (s lanesSeen) add(relation uint64, x, y reg.VecVirtual) {
	if s.wide() {
		k := K()
		VCMPPD(Imm(relation), y, x, k)
		KORW(k, s.mask, s.mask)
		return
	}
	r := s.register()
	VCMPPD(Imm(relation), y, x, r)
	VORPD(r, s.mask, s.mask)
}

// store writes the lanes as bits of a word.
func (s lanesSeen) store(to reg.Register) {
	bits := GP64()
	XORQ(bits, bits)
	if s.wide() {
		KMOVW(s.mask, bits.As32())
	} else {
		VMOVMSKPD(s.mask, bits.As32())
	}
	MOVQ(bits, at(to, 0))
}
