package vec

import "math"

// exponentials replaces every element of t by its exponential, to two units in the last
// place, at more than twice the rate of math.Exp; exp(0) is exactly 1. With N = 2⁷ and
// k = round(x·N/ln 2),
//
//	exp(x) = 2^(k/N)·exp(r),  r = x − k·ln2/N,  |r| ≤ ln2/(2N) < 0.0028,
//
// where 2^(k/N) is an exponent and one of N table entries, and five terms of the
// Taylor series of exp(r) leave r⁶/720 < 10⁻¹⁸ (the method of Tang, ACM TOMS 15, 1989).
func exponentials(t []float64) {
	for j, x := range t {
		if !(math.Abs(x) < expRange) {
			t[j] = math.Exp(x)
			continue
		}
		shifted := x*(expEntries*math.Log2E) + expShift
		k := math.Float64bits(shifted) // its low bits are those of the integer k
		count := shifted - expShift
		r := x - count*expStepHigh - count*expStepLow
		r2 := r * r
		tail := r + r2*(1./2+r*(1./6)) + r2*r2*(1./24+r*(1./120))
		power := math.Float64frombits(expTable[k%expEntries] + k<<(52-expBits))
		t[j] = power + power*tail
	}
}

const (
	expBits    = 7
	expEntries = 1 << expBits
	// expRange keeps the result away from subnormal numbers and from overflow.
	expRange = 708
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
