package erm

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mercer/gram"
	"mercer/linalg"
	"mercer/loss"
)

// Solver names the space in which a loss is minimised.
type Solver string

const (
	// Auto is Primal where [Fit] is given a kernel with a finite feature map of fewer
	// dimensions than there are rows, and Cholesky everywhere else.
	Auto Solver = "auto"
	// Cholesky solves for the n coefficients: n³/3 multiplications a step, 8n² bytes.
	Cholesky Solver = "cholesky"
	// Primal solves for the D weights of an explicit feature map: nD² multiplications
	// a step, 8D² bytes. Only [Fit] can.
	Primal Solver = "primal"
)

var solvers = []Solver{Auto, Cholesky, Primal}

// Options say what to solve. Lambda or Ridge must be positive.
type Options struct {
	// Lambda is λ > 0 in (1/N) Σ wᵢℓᵢ + (λ/2)‖f‖².
	Lambda float64
	// Ridge is R = Nλ, the other way to give the same number (1/C of a support vector
	// machine). Only one of the two may be nonzero.
	Ridge float64
	// NoIntercept fixes b = 0.
	NoIntercept bool
	// Weights are the wᵢ ≥ 0, one per row, not all zero; nil means all ones.
	Weights []float64
	// Offsets oᵢ are added to f + b; nil is zero.
	Offsets []float64
	// Solver is the space; "" is [Auto].
	Solver Solver
	// Seed is that of the random subsets from which a loss that is not convex starts.
	Seed uint64
	// Compute says how to compute: workers, memory limit, progress. The precision is
	// double whatever it says.
	Compute gram.Options
}

// validate reports every problem of the options, of y for n rows, and of the loss.
func (o *Options) validate(n int, y []float64, l loss.Loss) error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("erm: "+format, args...)) }
	if bad(o.Lambda) {
		add("lambda = %v is not a finite number > 0", o.Lambda)
	}
	if bad(o.Ridge) {
		add("ridge = %v is not a finite number > 0", o.Ridge)
	}
	switch {
	case o.Lambda != 0 && o.Ridge != 0:
		add("lambda = %v and ridge = %v are two ways to give one number (ridge = Nλ): give one", o.Lambda, o.Ridge)
	case o.Lambda == 0 && o.Ridge == 0:
		add("lambda is 0: without a penalty many losses have no single minimum; give a λ > 0")
	}
	if o.Solver != "" && !slices.Contains(solvers, o.Solver) {
		add("solver %q is not known; one of %q is", o.Solver, solvers)
	}
	if n == 0 {
		add("there are no rows to learn from")
	}
	problems = append(problems, validateRows(n, y, o.Weights, o.Offsets)...)
	problems = append(problems, validateLoss(l, y)...)
	return errors.Join(problems...)
}

func bad(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }

// validateRows checks targets, weights and offsets.
func validateRows(n int, y, weights, offsets []float64) []error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("erm: "+format, args...)) }
	if len(y) != n {
		add("%d targets for %d rows", len(y), n)
	}
	if i := slices.IndexFunc(y, notFinite); i >= 0 {
		add("y[%d] = %v: targets must be finite; drop or fill the row", i, y[i])
	}
	if offsets != nil && len(offsets) != n {
		add("%d offsets for %d rows", len(offsets), n)
	}
	if i := slices.IndexFunc(offsets, notFinite); i >= 0 {
		add("offset %d = %v is not a finite number", i, offsets[i])
	}
	if weights == nil {
		return problems
	}
	if len(weights) != n {
		add("%d weights for %d rows", len(weights), n)
	}
	if i := slices.IndexFunc(weights, bad); i >= 0 {
		add("weight %d = %v is not a finite number ≥ 0", i, weights[i])
	}
	if !slices.ContainsFunc(weights, func(w float64) bool { return w > 0 }) {
		add("all weights are zero: nothing to learn from")
	}
	return problems
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// validateLoss checks the parameters of the losses of this module, and labels.
func validateLoss(l loss.Loss, y []float64) []error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("erm: "+format, args...)) }
	switch l := l.(type) {
	case nil:
		add("there is no loss")
	case loss.Quantile:
		if !(l.Tau > 0 && l.Tau < 1) {
			add("tau = %v is not in (0, 1)", l.Tau)
		}
	case loss.Insensitive:
		if bad(l.Epsilon) {
			add("epsilon = %v is not a finite number ≥ 0", l.Epsilon)
		}
	case loss.Huber:
		if bad(l.K) || bad(l.Scale) {
			add("%s: k and scale must be finite numbers ≥ 0", l)
		}
	case loss.Tukey:
		if bad(l.C) || bad(l.Scale) {
			add("%s: c and scale must be finite numbers ≥ 0", l)
		}
	case loss.Logistic, loss.SquaredHinge, loss.Hinge:
		if i := slices.IndexFunc(y, func(v float64) bool { return v != 1 && v != -1 }); i >= 0 {
			add("y[%d] = %v: the %s loss wants labels −1 and 1", i, y[i], l)
		}
	}
	return problems
}

func (o *Options) linalg() linalg.Options {
	return linalg.Options{Workers: o.Compute.Workers, Progress: o.Compute.Progress}
}
