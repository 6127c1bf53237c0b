package klr

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Solver names the space in which Newton's method runs, and how its systems are solved: see
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

// Options say what to solve. Lambda or Ridge must be positive: without a penalty
// classes that a function separates have no minimum.
type Options struct {
	// Lambda is λ > 0 in (1/N) Σ wᵢ ln(1 + e^(−yᵢ(f + b))) + (λ/2)‖f‖².
	Lambda float64
	// Ridge is R = Nλ, the other way to give the same number (1/C of LIBLINEAR and
	// scikit-learn). Only one of the two may be nonzero.
	Ridge float64
	// NoIntercept fixes b = 0.
	NoIntercept bool
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones. Every class needs a row
	// of positive weight.
	Weights []float64
	// Offsets are added to f + b: n×1 for two classes, n×m for more; nil is zero. The
	// values of a fitted model do not contain them.
	Offsets *mat.Dense
	// Solver is the space; "" is [Auto].
	Solver Solver
	// LOO asks for standard errors and approximate leave-one-out values of the training
	// rows in the report: n³ multiplications with [Cholesky] for two classes. For m > 2
	// it factors a matrix of order nm, at most 8000: m³ times the work.
	LOO bool
	// Compute says how to compute: workers, memory limit, progress, and the precision of the
	// systems (see [space.Options]).
	Compute compute.Options
}

// classes returns the number of classes, 1 + the largest.
func classes(y []int) int {
	if len(y) == 0 {
		return 0
	}
	return 1 + slices.Max(y)
}

// outputs is the number of functions for m classes.
func outputs(m int) int {
	if m == 2 {
		return 1
	}
	return m
}

// Check reports every problem of the options and of y for n rows.
func (o *Options) Check(n int, y []int) error {
	c := model.NewChecks("klr")
	c.Penalty(o.Lambda, o.Ridge, "without a penalty classes that a function separates have no minimum")
	if o.Solver != "" && !slices.Contains(solvers, o.Solver) {
		c.Add("solver %q is not known; one of %q is", o.Solver, solvers)
	}
	if c.Classes(n, y, o.Weights) {
		o.checkOffsets(c, n, outputs(classes(y)))
	}
	return c.Err()
}

func (o *Options) checkOffsets(c *model.Checks, n, want int) {
	if o.Offsets == nil {
		return
	}
	if rows, cols := o.Offsets.Dims(); rows != n || cols != want {
		c.Add("offsets are %d×%d, but there are %d rows and %d functions", rows, cols, n, want)
		return
	}
	for i := range n {
		for j, v := range o.Offsets.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				c.Add("offset [%d,%d] = %v is not a finite number", i, j, v)
				return
			}
		}
	}
}

func (o *Options) linalg() linalg.Options {
	return linalg.Options{Workers: o.Compute.Workers, Progress: o.Compute.Progress}
}
