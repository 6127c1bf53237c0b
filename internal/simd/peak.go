package simd

// MultiplyAdds replaces each of a number of sums that start from 0 by x·sum + y, n times,
// all of them in registers, and returns the sums: y·(1 + x + … + xⁿ⁻¹). Nothing does
// multiply-adds faster, so this is the peak that other routines are compared with. It
// takes n·len(sums) of them. n must be positive.
func MultiplyAdds[F Float](x, y F, n int) (sums []F) { return multiplyAddsAt(Best(), x, y, n) }

// peakSums is the assembly of MultiplyAdds and the number of its sums.
type peakSums[F Float] struct {
	count  int
	kernel func(dst *F, x, y F, n int)
}

// multiplyAddsAt is [MultiplyAdds] at a level.
func multiplyAddsAt[F Float](l Level, x, y F, n int) []F {
	if n <= 0 {
		panic("simd: multiply-adds: their number must be positive")
	}
	if l == Portable {
		return multiplyAddsPlain(x, y, n)
	}
	by := assembledPeak[F](l)
	sums := make([]F, by.count)
	by.kernel(&sums[0], x, y, n)
	return sums
}

// multiplyAddsPlain is [MultiplyAdds] in plain Go, with sums for 16 registers.
func multiplyAddsPlain[F Float](x, y F, n int) []F {
	var s0, s1, s2, s3, s4, s5, s6, s7 F
	for range n {
		s0 = x*s0 + y
		s1 = x*s1 + y
		s2 = x*s2 + y
		s3 = x*s3 + y
		s4 = x*s4 + y
		s5 = x*s5 + y
		s6 = x*s6 + y
		s7 = x*s7 + y
	}
	return []F{s0, s1, s2, s3, s4, s5, s6, s7}
}
