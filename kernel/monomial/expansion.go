package monomial

import "math"

// Count returns the number C(v+n−1, n) of monomials of degree n in v variables,
// and false where that is more than 2³⁰.
func Count(variables, degree int) (int, bool) {
	if variables == 0 {
		return 0, true
	}
	total := 1.0
	for i := 1; i <= degree; i++ {
		total = total * float64(variables-1+i) / float64(i)
		if total > 1<<30 {
			return 0, false
		}
	}
	return int(math.Round(total)), true
}

// Binomial returns C(n, k).
func Binomial(n, k int) float64 {
	v := 1.0
	for i := 1; i <= k; i++ {
		v = v * float64(n-k+i) / float64(i)
	}
	return math.Round(v)
}

// Expansion enumerates the monomials Π xⱼ^aⱼ with Σ aⱼ ≤ n (or = n where it is
// homogeneous), in lexicographic order of the exponents, each weighted by
// Π Weight(leftⱼ, aⱼ)·Rest(n − Σ aⱼ), where leftⱼ is the degree not yet used by the
// coordinates before j.
type Expansion struct {
	X           []float64
	Homogeneous bool
	Weight      func(left, a int) float64
	Rest        func(left int) float64
}

// Store fills phi with the weighted monomials.
func (e Expansion) Store(phi []float64, degree int) {
	if len(e.X) == 0 && e.Homogeneous {
		return // no monomial of positive degree in no variables
	}
	e.visit(phi, 0, degree, 1)
}

// visit stores the monomials that begin with the given value of the first j factors,
// and returns what is left of phi.
func (e Expansion) visit(phi []float64, j, left int, value float64) []float64 {
	if j == len(e.X) {
		phi[0] = value * e.Rest(left)
		return phi[1:]
	}
	first := 0
	if e.Homogeneous && j == len(e.X)-1 {
		first = left
	}
	for a := first; a <= left; a++ {
		phi = e.visit(phi, j+1, left-a, value*e.Weight(left, a)*Power(e.X[j], a))
	}
	return phi
}

// Power returns vⁿ for n ≥ 0 by repeated squaring.
func Power(v float64, n int) float64 {
	p := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= v
		}
		v *= v
	}
	return p
}
