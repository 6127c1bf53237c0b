package node

import (
	"math"

	"example.org/mercer/kernel"
)

// Diffusion is K = exp(−tL), t > 0: what is left in node i after time t of one unit of
// heat that was put in node j and spread along the edges. Small t compares neighbours,
// large t makes every component constant: its limit is 1/size. With Normalized it is exp(−tL̃).
//
// Kondor and Lafferty (2002).
type Diffusion struct {
	T          float64
	Normalized bool
}

func (f Diffusion) name() string              { return "diffusion" }
func (f Diffusion) matrix() Matrix            { return laplacian(f.Normalized).matrix() }
func (f Diffusion) at(lambda float64) float64 { return math.Exp(-f.T * lambda) }
func (f Diffusion) check(n *Network) error    { return timed(f.T, n) }
func (f Diffusion) arguments() string {
	return ", t=" + number(f.T) + laplacian(f.Normalized).argument()
}
func (f Diffusion) parameter() kernel.Parameter { return tuned(f.T) }
func (f Diffusion) with(t float64) Filter       { f.T = t; return f }

func (f Diffusion) reason() string {
	m := laplacian(f.Normalized).symbol()
	return "exp(−t" + m + ") has the eigenvalues exp(−tλ) > 0, λ those of the symmetric matrix " + m + " (Kondor and Lafferty 2002)"
}

// series is exp(−tλ) = e^−tc·exp(−thx) on λ = c + hx.
func (f Diffusion) series(least, most, tolerance float64) (series, error) {
	centre, half := middle(least, most)
	s, err := expSeries(-f.T*half, tolerance)
	return s.times(math.Exp(-f.T*centre + f.T*half)), err
}

func (f Diffusion) card() kernel.Reference {
	l := laplacian(f.Normalized)
	return kernel.Reference{Name: f.name(), Title: "diffusion kernel between nodes of a graph", Formula: "exp(−t" + l.symbol() + "), " + l.meaning(),
		Domain: domain + "; t > 0, weights ≥ 0", Equivalents: []string{"t = " + number(f.T)},
		Source: "Kondor and Lafferty (2002)", SeeAlso: []string{"regularised_laplacian", "exponential"}}
}
