package bessel

import "math"

// Matern returns M_ν(t) = 2^{1−ν}/Γ(ν)·t^ν K_ν(t), the profile of the Matérn kernel, and
// −t·M′_ν(t), for ν > 0 and t ≥ 0. M_ν(0) = 1. The orders ½, 3/2 and 5/2 have closed forms.
func Matern(nu, t float64) (value, negSlope float64) {
	switch nu {
	case 0.5:
		e := math.Exp(-t)
		return e, t * e
	case 1.5:
		e := math.Exp(-t)
		return (1 + t) * e, t * t * e
	case 2.5:
		e := math.Exp(-t)
		return (1 + t + t*t/3) * e, t * t * (1 + t) / 3 * e
	}
	return maternProfile(nu, t)
}

// maternProfile returns M_ν(t) = 2^{1−ν}/Γ(ν)·t^ν K_ν(t) and −t·M′_ν(t), for ν > 0
// and t ≥ 0. M_ν(0) = 1.
//
// From K_{ν+1} = K_{ν−1} + (2ν/t)K_ν follows a recurrence of positive terms that
// never exceed 1 and so needs no care about overflow for large orders:
//
//	M_{ν+1} = M_ν + t²/(4ν(ν−1))·M_{ν−1},   −t·M′_ν = t²/(2(ν−1))·M_{ν−1}  (ν > 1).
//
// Orders beyond debyeOrder take a fixed number of operations, see [maternDebye].
func maternProfile(nu, t float64) (value, negSlope float64) {
	if t == 0 {
		return 1, 0
	}
	if nu >= 0.5 && t < 1e-100 {
		return 1, 0 // 1 − M_ν(t) < 4t for ν > ½
	}
	if nu < 0.5 { // −t·M′ needs K_{ν−1} = K_{1−ν}
		k0, k1 := besselK(-nu, t)
		scale := maternScale(nu, t)
		return scale * k0, scale * t * k1
	}
	if nu > debyeOrder+1 {
		return maternDebye(nu, t), t * t / (2 * (nu - 1)) * maternDebye(nu-1, t)
	}
	mu := nu - math.Floor(nu+0.5)
	k0, k1 := besselK(mu, t)
	if k0 == 0 { // t > 745, where M is below 10⁻²⁴⁰
		return 0, 0
	}
	order, lower, upper := mu, k0, k1
	if mu <= 0 { // the smaller order of the pair must be positive
		order, lower, upper = mu+1, k1, k0+2*(mu+1)/t*k1
	}
	before := maternScale(order, t) * lower
	if nu-order < 0.5 { // ν = order = μ+1 ∈ [½, 1]
		return before, maternScale(order, t) * t * k0
	}
	value = maternScale(order+1, t) * upper
	for order++; nu-order > 0.5; order++ {
		before, value = value, value+t*t/(4*order*(order-1))*before
	}
	return value, t * t / (2 * (order - 1)) * before
}

// maternScale returns 2^{1−ν}/Γ(ν)·t^ν for a small order ν > 0.
func maternScale(nu, t float64) float64 {
	return math.Exp2(1-nu) / math.Gamma(nu) * math.Pow(t, nu)
}
