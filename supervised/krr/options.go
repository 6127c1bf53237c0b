package krr

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Solver names a way to solve the linear system: see [space.Solver], and [Eigen].
type Solver = space.Solver

// The solvers of spaces, and one of its own.
const (
	Auto     = space.Auto
	Cholesky = space.Cholesky
	Packed   = space.Packed
	CG       = space.CG
	Primal   = space.Features
	// Eigen decomposes the dense matrix: about 10 times the work of Cholesky; it
	// reports the exact condition.
	Eigen Solver = "eigen"
)

var solvers = []Solver{Auto, Cholesky, Packed, CG, Eigen, Primal}

// Options say what to solve. The zero value interpolates (λ = 0) with an intercept,
// which needs a positive definite Gram matrix; all else wants Lambda or Ridge.
type Options struct {
	// Lambda is λ ≥ 0 in (1/N) Σ wᵢ(yᵢ − f(xᵢ) − b)² + λ‖f‖².
	Lambda float64
	// Ridge is R = Nλ, what is added to the diagonal of W^½KW^½: the other way to
	// give the same number. Only one of the two may be nonzero.
	Ridge float64
	// NoIntercept fixes b = 0. The intercept is otherwise free and not penalised.
	NoIntercept bool
	// Weights are the wᵢ ≥ 0, one per row, not all zero; nil means all ones.
	Weights []float64
	// Solver is the way; "" is [Auto].
	Solver Solver
	// Tolerance ends [CG] at the relative residual ‖b − Mx‖/‖b‖; 0 means 1e-10.
	Tolerance float64
	// LOO asks for exact leave-one-out residuals in the report. It costs another
	// n³/3 multiplications with [Cholesky] and [Packed], and [CG] cannot give it.
	LOO bool
	// Compute says how to compute: workers, memory limit, progress, and the precision.
	// In [compute.Single] the solvers Auto, Cholesky and Packed factor the packed triangle
	// of 2n² bytes in single precision and refine the solution in double precision to
	// a residual of 1e-12, and CG computes most products in single precision; where
	// that is not enough they fall back to double precision and warn. Primal stays in
	// double precision.
	Compute compute.Options

	rank   int // of the preconditioner of CG; 0: [gram.PreconditionerRank]
	sample int // rows of that of Primal, see [sections.sampled]; 0: by [sampleSize], −1: none
}

// tolerance returns the effective tolerance of CG.
func (o *Options) tolerance() float64 {
	if o.Tolerance == 0 {
		return 1e-10
	}
	return o.Tolerance
}

// Check reports every problem of the options and of y for n rows.
func (o *Options) Check(n int, y *mat.Dense) error {
	c := model.NewChecks("krr")
	o.checkPenalty(c)
	if o.Solver != "" && !slices.Contains(solvers, o.Solver) {
		c.Add("solver %q is not known; one of %q is", o.Solver, solvers)
	}
	if bad(o.Tolerance) || o.Tolerance >= 1 {
		c.Add("tolerance = %v is not in [0, 1)", o.Tolerance)
	}
	if o.LOO && o.Solver == CG {
		c.Add("leave-one-out residuals need the diagonal of an inverse, which solver %q does not have: use cholesky, packed or eigen", CG)
	}
	if o.Compute.Precision == compute.Single && (o.LOO || o.Solver == Eigen) {
		c.Add("leave-one-out residuals and solver %q need double precision: ask for it, or for neither of the two", Eigen)
	}
	checkTargets(c, n, y)
	c.Weights(n, o.Weights)
	return c.Err()
}

func (o *Options) checkPenalty(c *model.Checks) {
	if bad(o.Lambda) {
		c.Add("lambda = %v is not a finite number ≥ 0", o.Lambda)
	}
	if bad(o.Ridge) {
		c.Add("ridge = %v is not a finite number ≥ 0", o.Ridge)
	}
	if o.Lambda != 0 && o.Ridge != 0 {
		c.Add("lambda = %v and ridge = %v are two ways to give one number (ridge = Nλ): give one", o.Lambda, o.Ridge)
	}
}

func bad(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }

// checkTargets wants n finite rows of targets, one at least.
func checkTargets(c *model.Checks, n int, y *mat.Dense) {
	if n == 0 {
		c.Add("there are no rows to learn from")
	}
	switch {
	case y == nil || y.IsEmpty():
		c.Add("there are no targets (y is empty)")
	case y.RawMatrix().Rows != n:
		rows, cols := y.Dims()
		c.Add("y is %d×%d and the Gram matrix has %d rows: they must have the same number of rows", rows, cols, n)
	default:
		if i, j, ok := firstNotFinite(y); ok {
			c.InfiniteTarget(fmt.Sprintf("y[%d,%d]", i, j), i, j, y.At(i, j))
		}
	}
}

func firstNotFinite(y *mat.Dense) (row, col int, found bool) {
	r, _ := y.Dims()
	for i := range r {
		for j, v := range y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}
