package simd

// The functions below round every operation, at every level: their results are those of
// the loops in their comments, to the bit. dst may be one of the other slices but must
// not overlap them otherwise, and may not be shorter than the first of them.

// Affine is dst[i] = scale·x[i] + shift.
func Affine[F Float](dst, x []F, scale, shift F) { affineAt(Best(), dst[:len(x)], x, scale, shift) }

// Add is dst[i] = s[i] + t[i].
func Add[F Float](dst, s, t []F) { addAt(Best(), dst[:len(s)], s, t[:len(s)]) }

// Multiply is dst[i] = s[i]·t[i].
func Multiply[F Float](dst, s, t []F) { multiplyAt(Best(), dst[:len(s)], s, t[:len(s)]) }

// Larger is dst[i] = s[i] where s[i] > t[i], else t[i].
func Larger[F Float](dst, s, t []F) { largerAt(Best(), dst[:len(s)], s, t[:len(s)]) }

// PowInt is dst[i] = x[i]ⁿ for n ≥ 0 by repeated squaring: p = 1, and then for every
// binary digit of n from the lowest, p·x where it is 1, and x². With ε = 2⁻⁵³ (2⁻²⁴ for
// float32) the relative error is at most (n−1)ε/(1−(n−1)ε) unless a power on the way
// overflows or becomes subnormal.
func PowInt[F Float](dst, x []F, n int) {
	if n < 0 {
		panic("simd: a negative power")
	}
	powersAt(Best(), dst[:len(x)], x, n)
}

func affinePlain[F Float](dst, x []F, scale, shift F) {
	for i, v := range x {
		dst[i] = F(scale*v) + shift
	}
}

func addPlain[F Float](dst, s, t []F) {
	for i, v := range s {
		dst[i] = v + t[i]
	}
}

func multiplyPlain[F Float](dst, s, t []F) {
	for i, v := range s {
		dst[i] = v * t[i]
	}
}

func largerPlain[F Float](dst, s, t []F) {
	for i, v := range s {
		if v > t[i] {
			dst[i] = v
		} else {
			dst[i] = t[i]
		}
	}
}

func powersPlain[F Float](dst, x []F, n int) {
	for i, v := range x {
		p := F(1)
		for k := n; k > 0; k >>= 1 {
			if k&1 == 1 {
				p *= v
			}
			v *= v
		}
		dst[i] = p
	}
}
