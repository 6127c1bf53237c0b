package node

import (
	"fmt"
	"math"
)

// series is f(c + hx) = Σ_k coef[k] T_k(x) on −1 ≤ x ≤ 1 with the Chebyshev polynomials T_k, cut
// off where the rest is at most tail in absolute value. For a symmetric matrix M with its spectrum
// in [c − h, c + h] therefore ‖f(M) − Σ_k coef[k] T_k((M − cI)/h)‖₂ ≤ tail.
type series struct {
	coef []float64
	tail float64
}

// mostTerms is the number of terms, and so of products, beyond which a series is refused.
const mostTerms = 100_000

func tooLong(f Filter, tolerance float64) error {
	return fmt.Errorf("node: %s: more than %d products with the matrix are needed for a relative error of %g: t times the largest eigenvalue is too large; take a smaller t", f.name(), mostTerms, tolerance)
}

// middle returns centre and half width of an interval.
func middle(least, most float64) (centre, half float64) {
	return (least + most) / 2, (most - least) / 2
}

// times multiplies a series by a number > 0.
func (s series) times(a float64) series {
	for k := range s.coef {
		s.coef[k] *= a
	}
	s.tail *= a
	return s
}

// expSeries expands exp(τx − |τ|), which is at most 1: with the modified Bessel functions I_k,
//
//	exp(τx) = I₀(τ) + 2 Σ_{k≥1} I_k(τ) T_k(x)
//
// (Abramowitz and Stegun 9.6.34 with z = τ, cos θ = x), and what is left after the term m is at
// most 2 Σ_{k>m} I_k(|τ|), a sum that is at hand.
func expSeries(tau, tolerance float64) (series, error) {
	if math.Abs(tau) > largestTau {
		return series{}, longSeries(tau)
	}
	b := scaledBessel(math.Abs(tau))
	rest := 0.0
	m := len(b) - 1
	for m > 0 && rest+2*b[m] <= tolerance {
		rest += 2 * b[m]
		m--
	}
	if m > mostTerms {
		return series{}, longSeries(tau)
	}
	s := series{coef: b[:m+1], tail: rest}
	for k := 1; k <= m; k++ {
		s.coef[k] *= 2
		if tau < 0 && k%2 == 1 {
			s.coef[k] = -s.coef[k]
		}
	}
	return s, nil
}

// largestTau is where no tolerance of use is reached with mostTerms terms.
const largestTau = 1e9

func longSeries(tau float64) error {
	return fmt.Errorf("node: more than %d products with the matrix are needed, because t times half the width of its spectrum is %.4g; take a smaller t", mostTerms, math.Abs(tau))
}

// scaledBessel returns e^−τ I_k(τ), τ ≥ 0, for k from 0 up to where they are negligible beside
// the rounding of the first: by Miller's backward recurrence I_{k−1} = I_{k+1} + (2k/τ)I_k from an
// order where I_k is taken to be 0, and I₀ + 2ΣI_k = e^τ (Abramowitz and Stegun 9.6.26, 9.6.37,
// 9.12).
func scaledBessel(tau float64) []float64 {
	if tau == 0 {
		return []float64{1}
	}
	// e^−τ I_k(τ) is the probability that two Poisson variables of mean τ/2 differ by k, by
	// Bernstein's inequality at most exp(−k²/(2(τ + k/3))): below 1e-26 at this k.
	top := 40 + int(13*math.Sqrt(tau))
	b := make([]float64, top+2)
	b[top] = 1e-300
	for k := top; k > 0; k-- {
		b[k-1] = b[k+1] + 2*float64(k)/tau*b[k]
		if b[k-1] > 1e200 {
			for i := k - 1; i <= top; i++ {
				b[i] *= 1e-250
			}
		}
	}
	sum := 0.0
	for k := top; k > 0; k-- {
		sum += 2 * b[k]
	}
	sum += b[0]
	for k := range b {
		b[k] /= sum
	}
	return b
}

// interpolated returns the series of a polynomial of the given degree from its values at
// the zeros of T_{degree+1}, where the polynomials T_0 … T_degree are orthogonal.
func interpolated(f Filter, least, most float64, degree int) series {
	centre, half := middle(least, most)
	n := degree + 1
	s := series{coef: make([]float64, n)}
	for j := range n {
		theta := math.Pi * (float64(j) + 0.5) / float64(n)
		v := f.at(centre + half*math.Cos(theta))
		for k := range s.coef {
			s.coef[k] += 2 / float64(n) * v * math.Cos(float64(k)*theta)
		}
	}
	s.coef[0] /= 2
	return s
}
