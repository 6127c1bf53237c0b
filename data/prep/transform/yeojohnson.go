package transform

import (
	"fmt"
	"math"
)

// yeoJohnson is (ψ_λ(y) − m)/s, parameters λ, m, s, where
//
//	ψ_λ(y) = ((1 + y)^λ − 1)/λ for y ≥ 0, ln(1 + y) for λ = 0,
//	ψ_λ(y) = −ψ_{2−λ}(−y) for y < 0.
//
// λ is that of the greatest likelihood of a normal law of ψ, m and s are its mean and its
// deviation.
//
// Yeo and Johnson, A new family of power transformations to improve normality or symmetry,
// Biometrika 87, 2000.
type yeoJohnson struct{}

// mostPower bounds λ: beyond it, ψ has no digits left for targets that are not near 0.
const mostPower = 5

func (yeoJohnson) defined(y float64) bool { return !math.IsNaN(y) && !math.IsInf(y, 0) }
func (yeoJohnson) few() bool              { return true }
func (yeoJohnson) needs() string          { return "that are finite" }

// fit finds λ by golden sections of the likelihood, which has one maximum in λ.
func (yeoJohnson) fit(y, w []float64) []float64 {
	z := make([]float64, len(y))
	law := func(lambda float64) (mean, deviation float64) {
		for i, v := range y {
			z[i] = psi(lambda, v)
		}
		return moments(z, w)
	}
	total, slope := 0.0, 0.0 // of (λ − 1)·Σ w·sign(y)·ln(1 + |y|), the logarithm of the Jacobian
	for i, v := range y {
		total += w[i]
		slope += w[i] * math.Copysign(math.Log1p(math.Abs(v)), v)
	}
	likelihood := func(lambda float64) float64 {
		_, deviation := law(lambda)
		if !(deviation > 0) || math.IsInf(deviation, 1) {
			return math.Inf(-1)
		}
		return -total*math.Log(deviation) + (lambda-1)*slope
	}
	lambda := maximum(likelihood, -mostPower, mostPower)
	mean, deviation := law(lambda)
	if !(deviation > 0) || math.IsInf(deviation, 1) { // all are equal
		lambda = 1
		if mean, deviation = law(lambda); !(deviation > 0) {
			deviation = 1
		}
	}
	return []float64{lambda, mean, deviation}
}

func (yeoJohnson) forward(p []float64, y float64) float64 { return (psi(p[0], y) - p[1]) / p[2] }

func (yeoJohnson) inverse(p []float64, z float64) float64 { return unpsi(p[0], p[1]+p[2]*z) }

// without leaves λ, m and s, which are of all targets together.
func (yeoJohnson) without(p, _ []float64) []float64 { return p }

func (yeoJohnson) check(p []float64) error {
	if len(p) != 3 || !(math.Abs(p[0]) <= mostPower) || !(p[2] > 0) {
		return fmt.Errorf("%v are not a power, a mean and a deviation", p)
	}
	return nil
}

// psi is ψ_λ(y).
func psi(lambda, y float64) float64 {
	switch {
	case y < 0:
		return -psi(2-lambda, -y)
	case lambda == 0:
		return math.Log1p(y)
	}
	return math.Expm1(lambda*math.Log1p(y)) / lambda
}

// unpsi is the inverse of ψ_λ. Beyond the range of ψ, which has an end at −1/λ for λ < 0, it is ∞.
func unpsi(lambda, z float64) float64 {
	switch {
	case z < 0:
		return -unpsi(2-lambda, -z)
	case lambda == 0:
		return math.Expm1(z)
	case lambda*z <= -1:
		return math.Inf(1)
	}
	return math.Expm1(math.Log1p(lambda*z) / lambda)
}

// maximum returns where a function with one maximum between two numbers has it, to 1e-8.
func maximum(f func(float64) float64, a, b float64) float64 {
	ratio := (math.Sqrt(5) - 1) / 2
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	fc, fd := f(c), f(d)
	for b-a > 1e-8 {
		if fc >= fd {
			b, d, fd = d, c, fc
			c = b - ratio*(b-a)
			fc = f(c)
		} else {
			a, c, fc = c, d, fd
			d = a + ratio*(b-a)
			fd = f(d)
		}
	}
	return (a + b) / 2
}
