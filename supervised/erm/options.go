package erm

import (
	"fmt"
	"math"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Solver names the space in which a loss is minimised, and how its systems are solved: see
// [space.Solver].
type Solver = space.Solver

// The solvers of spaces. Auto is Primal where a kernel has a finite feature map of fewer dimensions
// than there are rows, and Cholesky everywhere else.
const (
	Auto     = space.Auto
	Cholesky = space.Cholesky
	Packed   = space.Packed
	CG       = space.CG
	Primal   = space.Features
)

var solvers = []Solver{Auto, Cholesky, Packed, CG, Primal}

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
	// Compute says how to compute: workers, memory limit, progress, and the precision of the
	// systems (see [space.Options]).
	Compute compute.Options
}

// Space returns the options of the space that these options ask for: see [space.Of] and
// [space.DualOf].
func (o Options) Space() space.Options {
	how := space.Options{Solver: o.Solver, Tolerance: systemTolerance, Repeated: true, Compute: o.Compute}
	how.Compute.Checkpoint = nil // directions are the steps
	return how
}

// systemTolerance is that of conjugate gradients: beside the error of a step it is nothing.
const systemTolerance = 1e-11

// Check reports every problem of the options, of y for n rows, and of the losses.
func (o *Options) Check(n int, y []float64, losses ...loss.Loss) error {
	c := model.NewChecks("erm")
	c.Penalty(o.Lambda, o.Ridge, "without a penalty many losses have no single minimum")
	if o.Solver != "" && !slices.Contains(solvers, o.Solver) {
		c.Add("solver %q is not known; one of %q is", o.Solver, solvers)
	}
	checkRows(c, n, y, o.Weights, o.Offsets)
	for _, l := range losses {
		checkLoss(c, l, y)
	}
	return c.Err()
}

func bad(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }

// checkRows checks targets, weights and offsets.
func checkRows(c *model.Checks, n int, y, weights, offsets []float64) {
	c.Rows(n, len(y))
	if i := slices.IndexFunc(y, notFinite); i >= 0 {
		c.InfiniteTarget(fmt.Sprintf("y[%d]", i), i, 0, y[i])
	}
	if offsets != nil && len(offsets) != n {
		c.Add("%d offsets for %d rows", len(offsets), n)
	}
	if i := slices.IndexFunc(offsets, notFinite); i >= 0 {
		c.Add("offset %d = %v is not a finite number", i, offsets[i])
	}
	c.Weights(n, weights)
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// checkLoss checks the parameters of the losses of this module, and labels.
func checkLoss(c *model.Checks, l loss.Loss, y []float64) {
	switch l := l.(type) {
	case nil:
		c.Add("there is no loss")
	case loss.Quantile:
		if !(l.Tau > 0 && l.Tau < 1) {
			c.Add("tau = %v is not in (0, 1)", l.Tau)
		}
	case loss.Insensitive:
		if bad(l.Epsilon) {
			c.Add("epsilon = %v is not a finite number ≥ 0", l.Epsilon)
		}
	case loss.Huber:
		if bad(l.K) || bad(l.Scale) {
			c.Add("%s: k and scale must be finite numbers ≥ 0", l)
		}
	case loss.Tukey:
		if bad(l.C) || bad(l.Scale) {
			c.Add("%s: c and scale must be finite numbers ≥ 0", l)
		}
	case loss.Logistic, loss.SquaredHinge, loss.Hinge:
		if i := slices.IndexFunc(y, func(v float64) bool { return v != 1 && v != -1 }); i >= 0 {
			c.NoLabel(fmt.Sprintf("y[%d]", i), i, 0, y[i], fmt.Sprintf("the %s loss", l))
		}
	}
}
