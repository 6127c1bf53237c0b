package bessel

import "math"

// besselK returns K_μ(x) and K_{μ+1}(x), the modified Bessel functions of the second
// kind, for |μ| ≤ ½ and x > 0, to a few units in the last place: by Temme's series
// for x < 2 and Steed's continued fraction CF2 beyond (Temme, J. Comput. Phys. 19,
// 1975; Thompson & Barnett, Comput. Phys. Commun. 47, 1987). Both underflow to 0
// beyond x ≈ 745.
func besselK(mu, x float64) (k0, k1 float64) {
	if x < 2 {
		return besselSeries(mu, x)
	}
	return besselFraction(mu, x)
}

// besselSeries is Temme's series:
//
//	K_μ = Σ c_i f_i,  K_{μ+1} = (2/x) Σ c_i (p_i − i f_i),  c_i = (x²/4)^i/i!.
func besselSeries(mu, x float64) (k0, k1 float64) {
	gamma1, gamma2 := temmeGammas(mu)
	logHalf := math.Log(2 / x)
	e := mu * logHalf
	pimu := math.Pi * mu
	fact, sinhc := 1.0, 1.0
	if mu != 0 {
		fact = pimu / math.Sin(pimu)
	}
	if e != 0 {
		sinhc = math.Sinh(e) / e
	}
	f := fact * (gamma1*math.Cosh(e) + gamma2*sinhc*logHalf)
	p := 0.5 * math.Exp(e) * math.Gamma(1+mu)
	q := 0.5 * math.Exp(-e) * math.Gamma(1-mu)
	c, quarter := 1.0, x*x/4
	k0, k1 = f, p
	for i := 1.0; i < 500; i++ {
		f = (i*f + p + q) / (i*i - mu*mu)
		c *= quarter / i
		p /= i - mu
		q /= i + mu
		k0 += c * f
		k1 += c * (p - i*f)
		if math.Abs(c*f) < math.Abs(k0)*1e-17 {
			break
		}
	}
	return k0, k1 * 2 / x
}

// temmeGammas returns
//
//	Γ₁ = (1/Γ(1−μ) − 1/Γ(1+μ))/(2μ),  Γ₂ = (1/Γ(1−μ) + 1/Γ(1+μ))/2
//
// from the series 1/Γ(1+z) = Σ a_n zⁿ (Abramowitz & Stegun 6.1.34, shifted by one):
// Γ₁ = −Σ a_{2n+1} μ^{2n}, Γ₂ = Σ a_{2n} μ^{2n}.
func temmeGammas(mu float64) (gamma1, gamma2 float64) {
	z := mu * mu
	for n := len(reciprocalGamma) - 2; n >= 0; n -= 2 {
		gamma2 = gamma2*z + reciprocalGamma[n]
		gamma1 = gamma1*z - reciprocalGamma[n+1]
	}
	return gamma1, gamma2
}

// reciprocalGamma holds the Taylor coefficients of 1/Γ(1+z) at 0.
var reciprocalGamma = [...]float64{
	1.0, 0.5772156649015329, -0.6558780715202539, -0.0420026350340952,
	0.1665386113822915, -0.0421977345555443, -0.0096219715278770, 0.0072189432466630,
	-0.0011651675918591, -0.0002152416741149, 0.0001280502823882, -0.0000201348547807,
	-0.0000012504934821, 0.0000011330272320, -0.0000002056338417, 0.0000000061160950,
	0.0000000050020075, -0.0000000011812746, 0.0000000001043427, 0.0000000000077823,
	-0.0000000000036968, 0.0000000000005100, -0.0000000000000206, -0.0000000000000054,
}

// besselFraction evaluates Steed's CF2 by forward recurrence with Temme's sum.
func besselFraction(mu, x float64) (k0, k1 float64) {
	b := 2 * (1 + x)
	d := 1 / b
	h, delta := d, d
	q1, q2 := 0.0, 1.0
	a1 := 0.25 - mu*mu
	q, c := a1, a1
	a := -a1
	s := 1 + q*delta
	for i := 2.0; i < 10000; i++ {
		a -= 2 * (i - 1)
		c = -a * c / i
		next := (q1 - b*q2) / a
		q1, q2 = q2, next
		q += c * next
		b += 2
		d = 1 / (b + a*d)
		delta = (b*d - 1) * delta
		h += delta
		s += q * delta
		if math.Abs(q*delta) < math.Abs(s)*1e-17 {
			break
		}
	}
	h *= a1
	k0 = math.Sqrt(math.Pi/(2*x)) * math.Exp(-x) / s
	return k0, k0 * (mu + x + 0.5 - h) / x
}
