package simd

import "math"

// Exp stores exp(scale·x[i]) in dst[i] for every i < len(x); the product is rounded
// first. dst and x may be the same slice but must not overlap otherwise; dst may not be
// shorter. The error is at most 2 units in the last place, subnormal results included;
// exp(0) is exactly 1, and results for ±Inf, NaN and beyond the range of float64 are
// those of [math.Exp].
func Exp(dst, x []float64, scale float64) { expAt(Best(), dst[:len(x)], x, scale) }

// Exp32 is [Exp] for float32. The error is at most 2 units in the last place of float32,
// subnormal results included; exp(0) is exactly 1.
func Exp32(dst, x []float32, scale float32) { exp32At(Best(), dst[:len(x)], x, scale) }

// exp32Plain is [Exp32] in plain Go: that of float64, rounded.
func exp32Plain(dst, x []float32, scale float32) {
	var wide [64]float64
	for len(x) > 0 {
		part := wide[:min(len(wide), len(x))]
		for j := range part {
			part[j] = float64(float32(scale * x[j]))
		}
		expPlain(part, part, 1)
		for j, v := range part {
			dst[j] = float32(v)
		}
		dst, x = dst[len(part):], x[len(part):]
	}
}

// expPlain is [Exp] in plain Go, at more than twice the rate of math.Exp. With N = 2⁷
// and k = round(x·N/ln 2),
//
//	exp(x) = 2^(k/N)·exp(r),  r = x − k·ln2/N,  |r| ≤ ln2/(2N) < 0.0028,
//
// where 2^(k/N) is an exponent and one of N table entries, and five terms of the
// Taylor series of exp(r) leave r⁶/720 < 10⁻¹⁸ (the method of Tang, ACM TOMS 15, 1989).
//
// Where the result may be subnormal or overflow, the exponent is applied last.
func expPlain(dst, x []float64, scale float64) {
	for j, v := range x {
		v = float64(scale * v)
		if !(math.Abs(v) < expEnd) {
			dst[j] = math.Exp(v) // 0, +Inf or NaN
			continue
		}
		shifted := v*(expEntries*math.Log2E) + expShift
		k := math.Float64bits(shifted) // its low bits are those of the integer k
		count := shifted - expShift
		r := v - count*expStepHigh - count*expStepLow
		r2 := r * r
		tail := r + r2*(1./2+r*(1./6)) + r2*r2*(1./24+r*(1./120))
		if math.Abs(v) < expRange {
			power := math.Float64frombits(expTable[k%expEntries] + k<<(52-expBits))
			dst[j] = power + power*tail
			continue
		}
		i := k % expEntries
		power := math.Float64frombits(expTable[i] + i<<(52-expBits))
		dst[j] = math.Ldexp(power+power*tail, (int(count)-int(i))/expEntries)
	}
}

const (
	expBits    = 7
	expEntries = 1 << expBits
	// expRange keeps the result away from subnormal numbers and from overflow.
	expRange = 708
	// expEnd is where every result is 0 or +Inf.
	expEnd = 750
	// expShift is 1.5·2⁵²: adding it rounds to an integer.
	expShift = 3 << 51
	// ln2/N in two parts: the first has 36 bits, so that its product with k is exact.
	expStepHigh = 0x1.62e42fefap-8
	expStepLow  = math.Ln2/expEntries - expStepHigh
)

// expTable holds the bits of 2^(i/N), with i taken off the place where the addition
// of k puts the exponent: i and k agree in their last bits.
var expTable = func() (table [expEntries]uint64) {
	for i := range table {
		table[i] = math.Float64bits(math.Exp2(float64(i)/expEntries)) - uint64(i)<<(52-expBits)
	}
	return table
}()
