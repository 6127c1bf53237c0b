package node

import (
	"math"

	"example.org/mercer/kernel"
)

// RegularisedLaplacian is K = (I + tL)⁻¹, t > 0, the inverse of the matrix that penalises ‖f‖²
// and, t times, the squared differences of f along the edges. It is the diffusion kernel
// averaged over exponentially distributed times of mean t, and keeps more of what is far away.
// Rows sum to 1. With Normalized it is (I + tL̃)⁻¹.
//
// Smola and Kondor (2003), section 3.
type RegularisedLaplacian struct {
	T          float64
	Normalized bool
}

func (f RegularisedLaplacian) name() string              { return "regularised_laplacian" }
func (f RegularisedLaplacian) matrix() Matrix            { return laplacian(f.Normalized).matrix() }
func (f RegularisedLaplacian) at(lambda float64) float64 { return 1 / (1 + f.T*lambda) }
func (f RegularisedLaplacian) check(n *Network) error    { return timed(f.T, n) }
func (f RegularisedLaplacian) arguments() string {
	return ", t=" + number(f.T) + laplacian(f.Normalized).argument()
}
func (f RegularisedLaplacian) parameter() kernel.Parameter { return tuned(f.T) }
func (f RegularisedLaplacian) with(t float64) Filter       { f.T = t; return f }

func (f RegularisedLaplacian) reason() string {
	m := laplacian(f.Normalized).symbol()
	return "(I + t" + m + ")⁻¹ has the eigenvalues 1/(1 + tλ) > 0, because those of " + m + " are λ ≥ 0 (Smola and Kondor 2003)"
}

// series is, on λ = c + hx with z = (1 + tc)/(th) > 1 and q = z − √(z²−1) < 1,
//
//	1/(1 + tλ) = 1/(th) · 1/(z + x) = 1/(th√(z²−1)) · (1 + 2 Σ_{k≥1} (−q)ᵏ T_k(x)),
//
// the generating function of the Chebyshev polynomials.
func (f RegularisedLaplacian) series(least, most, tolerance float64) (series, error) {
	centre, half := middle(least, most)
	if half == 0 {
		return series{coef: []float64{f.at(centre)}}, nil
	}
	z := (1 + f.T*centre) / (f.T * half)
	root := math.Sqrt((z - 1) * (z + 1))
	q, scale := 1/(z+root), 1/(f.T*half*root)
	s := series{coef: []float64{scale}}
	for k := 1; ; k++ {
		// |T_k| ≤ 1: what is left after the term k − 1 is a geometric series.
		s.tail = 2 * scale * math.Pow(q, float64(k)) / (1 - q)
		if s.tail <= tolerance*f.at(least) {
			return s, nil
		}
		if k > mostTerms {
			return s, tooLong(f, tolerance)
		}
		s.coef = append(s.coef, 2*scale*math.Pow(-q, float64(k)))
	}
}

func (f RegularisedLaplacian) card() kernel.Reference {
	l := laplacian(f.Normalized)
	return kernel.Reference{Name: f.name(), Title: "regularised Laplacian kernel between nodes of a graph", Formula: "(I + t" + l.symbol() + ")⁻¹, " + l.meaning(),
		Domain: domain + "; t > 0, weights ≥ 0", Equivalents: []string{"t = " + number(f.T)},
		Source: "Smola and Kondor (2003)", SeeAlso: []string{"diffusion", "commute"}}
}
