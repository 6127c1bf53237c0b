package tile

import (
	"math"

	"example.org/mercer/internal/simd"
)

// compactBlock is the number of values that a compact profile is computed of at a time.
const compactBlock = 64

// compactProfile replaces every element v of x by (1−r)₊ⁿ·Σ list[m]·rᵐ with r = √(rate·v).
func compactProfile(x []float64, rate float64, n int, list []float64) {
	var powers [compactBlock]float64
	simd.Sqrt(x, x, rate)
	for len(x) > 0 {
		r := x[:min(compactBlock, len(x))]
		u := powers[:len(r)]
		x = x[len(r):]
		for j, v := range r {
			u[j] = max(1-v, 0)
			r[j] = min(v, 1) // where the product is 0, and 0·∞ is not
		}
		simd.PowInt(u, u, n)
		for j, v := range r {
			r[j] = u[j] * horner(list, v)
		}
	}
}

// compactSlope bounds the derivative of (1−r)ⁿ·Σ aₘrᵐ on [0, 1]. It is (1−r)ⁿ⁻¹·Σ cₘrᵐ with
// cₘ = (m+1)·aₘ₊₁ − (m+n)·aₘ, and (1−r)ⁿ⁻¹·rᵐ is largest at r = m/(m+n−1).
func compactSlope(n int, a []float64) float64 {
	sum := 0.0
	for m, v := range a {
		c := -float64(m+n) * v
		if m+1 < len(a) {
			c += float64(m+1) * a[m+1]
		}
		most := 1.0
		if m > 0 {
			r := float64(m) / float64(m+n-1)
			most = math.Pow(1-r, float64(n-1)) * math.Pow(r, float64(m))
		}
		sum += math.Abs(c) * most
	}
	return sum
}
