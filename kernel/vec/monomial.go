package vec

import "math"

// monomials returns the number C(v+n−1, n) of monomials of degree n in v variables,
// and false where that is more than 2³⁰.
func monomials(variables, degree int) (int, bool) {
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

// binomial returns C(n, k).
func binomial(n, k int) float64 {
	v := 1.0
	for i := 1; i <= k; i++ {
		v = v * float64(n-k+i) / float64(i)
	}
	return math.Round(v)
}

// expansion enumerates the monomials Π xⱼ^aⱼ with Σ aⱼ ≤ n (or = n where it is
// homogeneous), in lexicographic order of the exponents, each weighted by
// Π weight(leftⱼ, aⱼ)·rest(n − Σ aⱼ), where leftⱼ is the degree not yet used by the
// coordinates before j.
type expansion struct {
	x           []float64
	homogeneous bool
	weight      func(left, a int) float64
	rest        func(left int) float64
}

// store fills phi with the weighted monomials.
func (e expansion) store(phi []float64, degree int) {
	if len(e.x) == 0 && e.homogeneous {
		return // no monomial of positive degree in no variables
	}
	e.visit(phi, 0, degree, 1)
}

// visit stores the monomials that begin with the given value of the first j factors,
// and returns what is left of phi.
func (e expansion) visit(phi []float64, j, left int, value float64) []float64 {
	if j == len(e.x) {
		phi[0] = value * e.rest(left)
		return phi[1:]
	}
	first := 0
	if e.homogeneous && j == len(e.x)-1 {
		first = left
	}
	for a := first; a <= left; a++ {
		phi = e.visit(phi, j+1, left-a, value*e.weight(left, a)*powInt(e.x[j], a))
	}
	return phi
}
