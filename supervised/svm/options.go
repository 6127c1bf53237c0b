package svm

import (
	"math"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Type names the optimisation problem, as LIBSVM does.
type Type string

const (
	// CSVC is classification with a penalty C on every violation of the margin; with
	// C = ∞ it is the hard margin.
	CSVC Type = "c-svc"
	// NuSVC is classification with a bound ν on the fraction of margin errors.
	NuSVC Type = "nu-svc"
	// EpsilonSVR is regression with a tube of half width ε in which errors are free.
	EpsilonSVR Type = "epsilon-svr"
	// NuSVR is regression with a tube that leaves out a fraction ν of the rows.
	NuSVR Type = "nu-svr"
	// OneClass separates the rows from the origin of the feature space.
	OneClass Type = "one-class"
)

// Scheme says which binary problems make a classifier of many classes.
type Scheme string

const (
	// OneVsOne trains a binary classifier for every pair of classes, and each votes.
	OneVsOne Scheme = "one-vs-one"
	// OneVsRest trains a binary classifier for every class, and the largest value wins.
	OneVsRest Scheme = "one-vs-rest"
)

// Options say what to solve. The zero value is [CSVC] with C = 1, or [EpsilonSVR] with
// C = 1 and ε = 0.1 where the targets are numbers: the defaults of LIBSVM.
type Options struct {
	// Type is the problem. "" is [CSVC] for classes, [EpsilonSVR] for numbers.
	Type Type
	// C > 0 is the penalty of [CSVC], [EpsilonSVR] and [NuSVR]; 0 means 1, and +Inf is
	// the hard margin of [CSVC].
	C float64
	// Nu is ν in (0, 1] of [NuSVC], [NuSVR] and [OneClass]; 0 means 0.5.
	Nu float64
	// Epsilon ≥ 0 is the half width of the tube of [EpsilonSVR]; 0 means 0.1. (A tube of
	// no width is any number too small to matter, such as 1e-12.)
	Epsilon float64
	// Tolerance is the largest violation of the optimality conditions that is accepted,
	// LIBSVM's ε: the difference of two decision values that should be in the other
	// order. 0 means 1e-3.
	Tolerance float64
	// Weights are wᵢ ≥ 0, one per row: row i has the penalty C·wᵢ, so that a weight of 2
	// equals writing the row twice and one of 0 leaves it out. nil means all ones. See
	// [Balanced] and [PerClass] for weights of classes.
	Weights []float64
	// Scheme is how binary problems decide among more classes; "" is [OneVsOne].
	Scheme Scheme
	// Compute says how to compute. The working matrix is float32 for all but small
	// problems whatever Compute.Precision says: what is certified is not. MaxMemory
	// limits the matrix or the cache of its rows.
	Compute compute.Options
}

// withDefaults fills in what zero stands for, with the given default type.
func (o Options) withDefaults(t Type) Options {
	if o.Type == "" {
		o.Type = t
	}
	if o.C == 0 {
		o.C = 1
	}
	if o.Nu == 0 {
		o.Nu = 0.5
	}
	if o.Epsilon == 0 {
		o.Epsilon = 0.1
	}
	if o.Tolerance == 0 {
		o.Tolerance = 1e-3
	}
	if o.Scheme == "" {
		o.Scheme = OneVsOne
	}
	return o
}

// validate reports every problem of options with defaults for n rows and as many
// targets; allowed are the types that suit these.
func (o Options) validate(n, targets int, allowed ...Type) error {
	c := model.NewChecks("svm")
	if !slices.Contains(allowed, o.Type) {
		c.Add("type %q does not suit these targets; %q do", o.Type, allowed)
	}
	if !(o.C > 0) {
		c.Add("C = %v is not a number above 0", o.C)
	}
	if math.IsInf(o.C, 1) && o.Type != CSVC {
		c.Add("C = ∞ is the hard margin of %s, and %s has none: give a finite C", CSVC, o.Type)
	}
	if !(o.Nu > 0 && o.Nu <= 1) {
		c.Add("nu = %v is not in (0, 1]", o.Nu)
	}
	if !(o.Epsilon >= 0) || math.IsInf(o.Epsilon, 1) {
		c.Add("epsilon = %v is not a finite number ≥ 0", o.Epsilon)
	}
	if !(o.Tolerance > 0 && o.Tolerance < 1) {
		c.Add("tolerance = %v is not in (0, 1)", o.Tolerance)
	}
	if o.Scheme != OneVsOne && o.Scheme != OneVsRest {
		c.Add("scheme %q is not known; %q and %q are", o.Scheme, OneVsOne, OneVsRest)
	}
	c.Rows(n, targets)
	c.Weights(n, o.Weights)
	return c.Err()
}

// weight returns the weight of row i.
func (o *Options) weight(i int) float64 { return model.Weight(o.Weights, i) }

// weighted returns the rows with a weight above 0.
func (o *Options) weighted(n int) []int {
	rows := make([]int, 0, n)
	for i := range n {
		if o.weight(i) > 0 {
			rows = append(rows, i)
		}
	}
	return rows
}
