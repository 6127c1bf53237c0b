package node

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"example.org/mercer/kernel"
)

// Filter is a function f of a matrix of a network: the part of a kernel that is not the
// graph. There are [Diffusion], [RegularisedLaplacian], [Walk], [Exponential] and
// [CommuteTime].
type Filter interface {
	name() string
	matrix() Matrix
	// at returns f(λ).
	at(lambda float64) float64
	// check reports a parameter outside its domain, also where it is the network that
	// makes it so.
	check(n *Network) error
	// series expands f on the interval that encloses the spectrum, until what is left is
	// below the tolerance times the largest |f|.
	series(least, most, tolerance float64) (series, error)
	arguments() string // as written in an expression, after the graph
	reason() string    // why f(M) is positive definite
	card() kernel.Reference
}

// tunable is what a [Filter] also is whose parameter may be tuned.
type tunable interface {
	parameter() kernel.Parameter
	with(value float64) Filter
}

// number returns the shortest text that reads back as v.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// positive reports a number that is not positive and finite.
func positive(name string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return fmt.Errorf("%s = %s: it must be positive and finite", name, number(v))
	}
	return nil
}

// weightsOf reports an edge of negative weight, for kernels of a Laplacian.
func weightsOf(n *Network) error {
	if n.negative < 0 {
		return nil
	}
	return fmt.Errorf("%s weighs %s, and with negative weights the Laplacian has negative eigenvalues; use exponential, which allows them, or remove it",
		n.g.Where(n.negative), number(n.g.Weight(n.negative)))
}

// laplacian is the choice that two of the kernels have.
type laplacian bool

func (normalized laplacian) matrix() Matrix {
	if normalized {
		return NormalizedLaplacian
	}
	return Laplacian
}

// symbol is how formulas call the matrix.
func (normalized laplacian) symbol() string {
	if normalized {
		return "L̃"
	}
	return "L"
}

// argument is what an expression adds.
func (normalized laplacian) argument() string {
	if normalized {
		return ", laplacian=normalized"
	}
	return ""
}

// meaning explains the symbol on a card.
func (normalized laplacian) meaning() string {
	if normalized {
		return "L̃ = D^−½(D − A)D^−½"
	}
	return "L = D − A"
}

// timed checks a kernel of a Laplacian with a parameter t.
func timed(t float64, n *Network) error { return errors.Join(positive("t", t), weightsOf(n)) }

// tuned is the parameter t of a kernel.
func tuned(t float64) kernel.Parameter {
	return kernel.Parameter{Name: "t", Value: t, Positive: true}
}

const domain = "the ids of the nodes of the graph"
