package meanmap

import "math"

// Share is g(u) = E k(u, z)/√(E k(z, z′)) for independent standard normal z and z′ and a kernel k
// on numbers: [Gaussian] or [Exponential] of a width.
type Share struct {
	width       float64
	exponential bool
}

// Gaussian is the share of exp(−(a−b)²/(2s²)).
func Gaussian(s float64) Share { return Share{width: s} }

// Exponential is the share of exp(−|a−b|/s).
func Exponential(s float64) Share { return Share{width: s, exponential: true} }

// At returns ln g(u). With v = s²+1, it is ¼ln(1−v⁻²) − u²/(2v) for the Gaussian kernel, of E
// k(u, z) = s·exp(−u²/(2v))/√v and E k(z, z′) = s/√(s²+2). For the exponential one E k(u, z) is
// half(u) + half(−u), and E k(z, z′) = exp(t²)erfc(t), t = 1/s.
func (g Share) At(u float64) float64 {
	if !g.exponential {
		v := g.width*g.width + 1
		return math.Log1p(-1/(v*v))/4 - u*u/(2*v)
	}
	t := 1 / g.width
	left, right := half(u, t), half(-u, t)
	m := max(left, right)
	return m + math.Log(math.Exp(left-m)+math.Exp(right-m)) - 0.5*logErfcx(t)
}

// Slope returns the derivatives of ln g(u) in u and in ln s.
func (g Share) Slope(u float64) (byPoint, byWidth float64) {
	if !g.exponential {
		s2 := g.width * g.width
		v := s2 + 1
		return -u / v, 1/(v*(v+1)) + u*u*s2/(v*v)
	}
	t := 1 / g.width
	left, right := math.Exp(half(u, t)), math.Exp(half(-u, t))
	sum, density := left+right, math.Exp(-u*u/2)/math.Sqrt(2*math.Pi)
	byRate := ((t-u)*left+(t+u)*right-2*density)/sum - t + math.Exp(-logErfcx(t))/math.Sqrt(math.Pi)
	return t * (right - left) / sum, -t * byRate
}

// half returns ln E exp(−t(u−z))·1[z < u] = t²/2 − tu + ln(½erfc((t−u)/√2)).
func half(u, t float64) float64 {
	p := (t - u) / math.Sqrt2
	if p > 0 {
		return logErfcx(p) - math.Ln2 - u*u/2
	}
	return t*(t/2-u) + math.Log(math.Erfc(p)/2)
}

// logErfcx returns ln(exp(x²)erfc(x)) for x ≥ 0, beyond 25 by the asymptotic series, whose next
// term is below 1e-14 there.
func logErfcx(x float64) float64 {
	if x < 25 {
		return x*x + math.Log(math.Erfc(x))
	}
	r := 1 / (2 * x * x)
	return math.Log((1 - r*(1-3*r*(1-5*r*(1-7*r*(1-9*r))))) / (x * math.Sqrt(math.Pi)))
}

// Overlap returns E k₀(a, z)k₀(b, z) of the centred kernel k₀(a, b) = k(a, b) − g(a)g(b), for the
// Gaussian k of width s and standard normal z: the inner product of the functions k₀(a, ·) and
// k₀(b, ·) under the law. With c = E g(z)² and h(a) = E k(a, z)g(z) it is
//
//	E k(a, z)k(b, z) − g(a)h(b) − h(a)g(b) + c·g(a)g(b),
//
// integrals of Gaussians all.
func Overlap(s, a, b float64) float64 {
	s2 := s * s
	v := s2 + 1
	// exp(−(a−z)²/(2s²) − (b−z)²/(2s²)) = exp(−(a−b)²/(4s²))·exp(−(z−m)²/s²), m = (a+b)/2
	m := (a + b) / 2
	both := math.Exp(-(a-b)*(a-b)/(4*s2)) * gauss(m, s2/2)
	scale := math.Exp(math.Log1p(-1/(v*v)) / 4) // g(u) = scale·exp(−u²/(2v))
	g := func(u float64) float64 { return scale * math.Exp(-u*u/(2*v)) }
	// exp(−(a−z)²/(2s²) − z²/(2v)) = exp(−a²/(2(s²+v)))·exp(−(z−m)²/(2r)) of r = s²v/(s²+v) and
	// m = av/(s²+v)
	h := func(u float64) float64 {
		return scale * math.Exp(-u*u/(2*(s2+v))) * gauss(u*v/(s2+v), s2*v/(s2+v))
	}
	return both - g(a)*h(b) - h(a)*g(b) + scale*scale*gauss(0, v/2)*g(a)*g(b)
}

// gauss returns E exp(−(z−m)²/(2r)) for standard normal z.
func gauss(m, r float64) float64 { return math.Sqrt(r/(r+1)) * math.Exp(-m*m/(2*(r+1))) }
