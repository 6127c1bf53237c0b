package node

import (
	"fmt"
	"math"

	"example.org/mercer/kernel"
)

// Exponential is K = exp(tA) = Σ_m t^m A^m/m!, t > 0: the walks of every length m between two
// nodes, weighed by t^m/m!. Weights may be negative: A is symmetric, and no more is needed. The
// values grow like exp(tρ) with the spectral radius ρ of A; normalize(of=…) divides by that.
//
// Kondor and Lafferty (2002); Estrada and Hatano, Communicability in complex networks,
// Phys. Rev. E 77 (2008).
type Exponential struct{ T float64 }

// largestExponent is the largest x for which exp(x) is taken to be a number.
const largestExponent = 700

func (f Exponential) name() string                { return "exponential" }
func (f Exponential) matrix() Matrix              { return Adjacency }
func (f Exponential) at(lambda float64) float64   { return math.Exp(f.T * lambda) }
func (f Exponential) arguments() string           { return ", t=" + number(f.T) }
func (f Exponential) parameter() kernel.Parameter { return tuned(f.T) }
func (f Exponential) with(t float64) Filter       { f.T = t; return f }

func (f Exponential) check(n *Network) error {
	if err := positive("t", f.T); err != nil {
		return err
	}
	if rho := n.matrix(Adjacency).most; f.T*rho > largestExponent {
		return fmt.Errorf("t = %s: exp(tρ) is more than a number can hold, as the eigenvalues of A reach ρ ≤ %.6g: t may be at most %.4g", number(f.T), rho, largestExponent/rho)
	}
	return nil
}

func (f Exponential) reason() string {
	return "exp(tA) has the eigenvalues exp(tλ) > 0, λ those of the symmetric matrix A (Kondor and Lafferty 2002)"
}

// series is exp(tλ) = e^tc·exp(thx) on λ = c + hx.
func (f Exponential) series(least, most, tolerance float64) (series, error) {
	centre, half := middle(least, most)
	s, err := expSeries(f.T*half, tolerance)
	return s.times(math.Exp(f.T*centre + f.T*half)), err
}

func (f Exponential) card() kernel.Reference {
	return kernel.Reference{Name: f.name(), Title: "exponential kernel between nodes of a graph (communicability)", Formula: "exp(tA), A the weights of the edges",
		Domain: domain + "; t > 0", Equivalents: []string{"t = " + number(f.T)}, Source: "Kondor and Lafferty (2002)", SeeAlso: []string{"diffusion"}}
}
