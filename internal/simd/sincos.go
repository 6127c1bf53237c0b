package simd

import "math"

// Sincos stores amplitude·sin(x[i]) in sin[i] and amplitude·cos(x[i]) in cos[i] for every
// i < len(x). sin and cos may not be shorter, and none of the three may overlap. The error of
// sine and cosine is at most 2 units in the last place for |x| < 2³⁰; beyond, and in plain Go,
// they are those of [math.Sincos], whose error is at most 2⁻⁵² but may be more units where they
// nearly vanish. Both are NaN at ±Inf and NaN; the sine of −0 is 0 of either sign.
func Sincos(sin, cos, x []float64, amplitude float64) {
	sincosAt(Best(), sin[:len(x)], cos[:len(x)], x, amplitude)
}

// sincosPlain is [Sincos] in plain Go.
func sincosPlain(sin, cos, x []float64, amplitude float64) {
	for i, v := range x {
		s, c := math.Sincos(v)
		sin[i], cos[i] = amplitude*s, amplitude*c
	}
}

// sincosEnd is where assembly hands numbers to plain Go, which reduces any.
const sincosEnd = 1 << 30

// sincosBeyond renews the elements beyond the end.
func sincosBeyond(sin, cos, x []float64, amplitude float64) {
	for i, v := range x {
		if !(math.Abs(v) < sincosEnd) {
			sincosPlain(sin[i:], cos[i:], x[i:i+1], amplitude)
		}
	}
}
