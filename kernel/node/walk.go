package node

import (
	"errors"
	"fmt"
	"math"

	"example.org/mercer/kernel"
)

// Walk is the p-step random walk kernel K = (aI − L̃)^p, a ≥ 2: nodes are compared by the
// walks of up to p steps between them, so that nodes farther than p apart have 0.
//
// Smola and Kondor (2003), section 3.
type Walk struct {
	A float64
	P int
}

// mostSteps bounds p.
const mostSteps = 1000

func (f Walk) name() string              { return "walk" }
func (f Walk) matrix() Matrix            { return NormalizedLaplacian }
func (f Walk) at(lambda float64) float64 { return math.Pow(f.A-lambda, float64(f.P)) }
func (f Walk) arguments() string         { return fmt.Sprintf(", a=%s, p=%d", number(f.A), f.P) }

func (f Walk) check(n *Network) error {
	var bad []error
	if !(f.A >= 2) || math.IsInf(f.A, 1) {
		bad = append(bad, fmt.Errorf("a = %s: it must be at least 2, because the eigenvalues of the normalised Laplacian reach 2 and a − λ must not be negative", number(f.A)))
	}
	if f.P < 1 || f.P > mostSteps {
		bad = append(bad, fmt.Errorf("p = %d: the number of steps is a whole number from 1 to %d", f.P, mostSteps))
	}
	if len(bad) == 0 && math.IsInf(f.at(0), 0) {
		bad = append(bad, fmt.Errorf("a^p = %s^%d is more than a number can hold: take fewer steps", number(f.A), f.P))
	}
	return errors.Join(append(bad, weightsOf(n))...)
}

func (f Walk) reason() string {
	return "(aI − L̃)^p has the eigenvalues (a − λ)^p ≥ 0, because those of L̃ are λ ≤ 2 ≤ a (Smola and Kondor 2003)"
}

// series is exact: f is a polynomial of degree p.
func (f Walk) series(least, most, _ float64) (series, error) {
	return interpolated(f, least, most, f.P), nil
}

func (f Walk) card() kernel.Reference {
	return kernel.Reference{Name: f.name(), Title: "p-step random walk kernel between nodes of a graph", Formula: "(aI − L̃)^p, L̃ = D^−½(D − A)D^−½",
		Domain: domain + "; a ≥ 2, p = 1, 2, …, weights ≥ 0", Equivalents: []string{fmt.Sprintf("a = %s, p = %d", number(f.A), f.P)},
		Source: "Smola and Kondor (2003)", SeeAlso: []string{"diffusion"}}
}
