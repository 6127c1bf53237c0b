package bessel

import (
	"math"
	"sync"
)

// debyeOrder is the smallest order for which the Matérn profile is computed by Debye's
// expansion: with debyeTerms terms the first neglected one is below 10⁻¹⁵ there.
const debyeOrder = 60

const debyeTerms = 8

// maternDebye returns M_ν(t) for large ν. With z = t/ν, w = √(1+z²) and p = 1/w, the
// uniform expansion (Debye; DLMF 10.41.4)
//
//	K_ν(νz) ~ √(π/2ν)·e^{−νη}/√w·Σ (−1)^k u_k(p)/ν^k,  η = w + ln(z/(1+w)),
//
// and Stirling's series s(ν) of ln Γ(ν) leave, after everything large has cancelled,
//
//	M_ν(t) = exp(ν(ln(1+δ/2) − δ) − s(ν))/√w·Σ (−1)^k u_k(p)/ν^k,  δ = w−1,
//
// which neither over- nor underflows before M does. The error is a few units in the
// last place of the exponent.
func maternDebye(nu, t float64) float64 {
	z := t / nu
	if z > 1e6 {
		return 0 // M < e^−ν(z−ln z), and z² may overflow
	}
	w := math.Sqrt(1 + z*z)
	delta := z * z / (1 + w)
	p, sum := 1/w, 0.0
	for k, u := range debyePolynomials() {
		sum += polynomial(u, p) * math.Pow(-1/nu, float64(k))
	}
	n2 := nu * nu
	stirling := (1.0/12 - (1.0/360-(1.0/1260-1.0/1680/n2)/n2)/n2) / nu
	return math.Exp(nu*(math.Log1p(delta/2)-delta)-stirling) * sum / math.Sqrt(w)
}

// debyePolynomials returns the coefficients of u₀, u₁, …, by u₀ = 1 and (DLMF 10.41.9)
//
//	u_{k+1}(p) = ½p²(1−p²)u_k′(p) + ⅛∫₀^p (1−5t²)u_k(t) dt.
var debyePolynomials = sync.OnceValue(func() [][]float64 {
	all := [][]float64{{1}}
	for k := range debyeTerms {
		u := all[k]
		next := make([]float64, len(u)+3)
		for n, c := range u {
			m := float64(n)
			next[n+1] += c * (m/2 + 1/(8*(m+1)))
			next[n+3] -= c * (m/2 + 5/(8*(m+3)))
		}
		all = append(all, next)
	}
	return all
})

// polynomial returns Σ aₙ·vⁿ by Horner's scheme.
func polynomial(a []float64, v float64) float64 {
	sum := 0.0
	for n := len(a) - 1; n >= 0; n-- {
		sum = float64(sum*v) + a[n]
	}
	return sum
}
