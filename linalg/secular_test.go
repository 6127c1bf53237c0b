package linalg

import (
	"math"
	"math/big"
	"testing"

	"example.org/mercer/internal/testkit"
)

// exactly returns f and Σ|terms| in 400 bits where x[i] = dᵢ − λ.
func exactly(s *secular, x []float64) (f, terms float64) {
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	sum := num(0).Quo(num(1), num(s.rho))
	size := num(0).Set(sum)
	for i, z2 := range s.z2 {
		term := num(0).Quo(num(z2), num(x[i]))
		sum.Add(sum, term)
		size.Add(size, term.Abs(term))
	}
	f, _ = sum.Float64()
	terms, _ = size.Float64()
	return f, terms
}

// TestSecularRoots evaluates f exactly at every root: it must be smaller than the
// rounding errors of the k+1 terms, of which each, a quotient of a difference of a
// difference, has at most 4ε/2, and of the partial sums, k·ε/2 of Σ|terms|. Together
// below 2(k+4)·ε·Σ|terms|. Smaller f cannot be told from 0 by an algorithm that sees
// the terms only.
func TestSecularRoots(t *testing.T) {
	rng := testkit.Rand(t, 41)
	kinds := map[string]func(i int) (step, z float64){
		"random":         func(i int) (float64, float64) { return rng.Float64(), rng.NormFloat64() },
		"tiny weights":   func(i int) (float64, float64) { return 1, math.Pow(10, -float64(i%15)) },
		"close poles":    func(i int) (float64, float64) { return math.Pow(10, -float64(i%14)), 1 },
		"one weight":     func(i int) (float64, float64) { return 1, 1e-12 + float64((i+1)%7/6) },
		"close and tiny": func(i int) (float64, float64) { return math.Pow(10, -float64(i*5%13)), math.Pow(10, -float64(i*3%11)) },
	}
	for name, kind := range kinds {
		for _, k := range []int{1, 2, 3, 8, 20} {
			for _, rho := range []float64{1e-10, 0.3, 2, 1e6} {
				s := &secular{d: make([]float64, k), z2: make([]float64, k), rho: rho}
				at, norm2 := -1.0, 0.0
				for i := range k {
					step, z := kind(i)
					at += step
					s.d[i], s.z2[i] = at, z*z
					norm2 += z * z
				}
				for i := range k {
					s.z2[i] /= norm2
				}
				x := make([]float64, k)
				for j := range k {
					lambda := s.root(j, x)
					if j < k-1 && !(lambda >= s.d[j] && lambda <= s.d[j+1]) {
						t.Fatalf("%s: root %d of %d is %g, outside its interval", name, j, k, lambda)
					}
					if f, terms := exactly(s, x); !(math.Abs(f) <= 2*float64(k+4)*eps*terms) {
						t.Errorf("%s, ρ=%g: f(λ%d of %d) = %.3g, terms sum up to %.3g", name, rho, j, k, f, terms)
					}
					for i, d := range s.d {
						if math.Abs(d-lambda-x[i]) > 2*eps*(math.Abs(d)+math.Abs(lambda)) {
							t.Errorf("%s, ρ=%g: d%d − λ%d of %d is %.17g, want %.17g", name, rho, i, j, k, x[i], d-lambda)
						}
					}
				}
			}
		}
	}
}
