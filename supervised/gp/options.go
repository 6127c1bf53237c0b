package gp

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Mean says what the prior mean is.
type Mean string

const (
	// Constant is a constant that the data determine, the default.
	Constant Mean = "constant"
	// Zero is zero.
	Zero Mean = "zero"
)

var means = []Mean{Constant, Zero}

// Solver names the space in which a process is conditioned, and how its systems are solved: see
// [space.Solver].
type Solver = space.Solver

// The solvers of spaces. "" is Cholesky, of which the model can keep the factor.
const (
	Cholesky = space.Cholesky
	Packed   = space.Packed
	CG       = space.CG
	Primal   = space.Features
)

var solvers = []Solver{Cholesky, Packed, CG, Primal}

// spaceOptions are those of a space for a solver.
func spaceOptions(s Solver, repeated bool, tolerance float64, how compute.Options) space.Options {
	return space.Options{Solver: cmp.Or(s, Cholesky), Tolerance: tolerance, Repeated: repeated, Compute: how}
}

// Space returns the options of the space that these options ask for: see [space.Of].
func (o Options) Space() space.Options { return spaceOptions(o.Solver, false, o.Tolerance, o.Compute) }

// Options describe the noise and the mean of a regression. The zero value interpolates
// with a constant mean.
type Options struct {
	// Noise is σ² ≥ 0, the variance of the noise of a row of weight 1.
	Noise float64
	// RowNoise are variances rᵢ ≥ 0 that rows have besides σ²; nil means zeros.
	RowNoise []float64
	// Mean is the prior mean; "" is [Constant].
	Mean Mean
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones. A weight divides the
	// noise of its row, so that it means nothing without noise.
	Weights []float64
	// Solver is the space, and the way; "" is [Cholesky].
	Solver Solver
	// Tolerance is the relative residual to which [CG] solves for the coefficients; 0
	// means 1e-10. What an error enters by its square, variances and the evidence, is
	// solved to a tenth of its root.
	Tolerance float64
	// Probes is the number of random vectors by which [CG] estimates ln|K + Σ|; 0 means 16.
	Probes int
	// Compute says how to compute: workers, memory limit, progress.
	Compute compute.Options
}

// validate reports every problem of the options for n rows; y may be nil.
func (o *Options) validate(n int, y []float64) error {
	c := model.NewChecks("gp")
	if bad(o.Noise) {
		c.Add("noise = %v is not a finite number ≥ 0", o.Noise)
	}
	if o.Mean != "" && !slices.Contains(means, o.Mean) {
		c.Add("mean %q is not known; one of %q is", o.Mean, means)
	}
	if o.Solver != "" && !slices.Contains(solvers, o.Solver) {
		c.Add("solver %q is not known; one of %q is", o.Solver, solvers)
	}
	if bad(o.Tolerance) || o.Tolerance >= 1 {
		c.Add("tolerance = %v is not in [0, 1)", o.Tolerance)
	}
	if o.Probes < 0 {
		c.Add("probes = %d is negative", o.Probes)
	}
	if n == 0 {
		c.Add("there are no rows to learn from")
	}
	if y != nil && len(y) != n {
		c.Add("%d targets for %d rows", len(y), n)
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.Add("target %d = %v is not a finite number", i, v)
			break
		}
	}
	if o.RowNoise != nil && len(o.RowNoise) != n {
		c.Add("%d variances of noise for %d rows", len(o.RowNoise), n)
	}
	if i := slices.IndexFunc(o.RowNoise, bad); i >= 0 {
		c.Add("the variance of the noise of row %d is %v, not a finite number ≥ 0", i, o.RowNoise[i])
	}
	c.Weights(n, o.Weights)
	if err := c.Err(); err != nil {
		return err
	}
	for i, w := range o.Weights {
		if w != 1 && w != 0 && o.noise(i) == 0 {
			return fmt.Errorf("gp: row %d has weight %v and no noise: a weight divides the noise of its row; give a noise > 0, or weights of 0 and 1", i, w)
		}
	}
	for i := 0; i < n && o.Solver == CG; i++ {
		if o.on(i) && o.noise(i) == 0 {
			return fmt.Errorf("gp: row %d has no noise, which bounds the eigenvalues of K + Σ from below: solver %q needs some in every row; give a noise > 0, or use solver %q", i, CG, Cholesky)
		}
	}
	return nil
}

func bad(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }

func (o *Options) weight(i int) float64 {
	if o.Weights == nil {
		return 1
	}
	return o.Weights[i]
}

// on reports whether row i has a positive weight.
func (o *Options) on(i int) bool { return o.weight(i) > 0 }

// noise is the variance of row i at weight 1.
func (o *Options) noise(i int) float64 {
	if o.RowNoise == nil {
		return o.Noise
	}
	return o.Noise + o.RowNoise[i]
}

func (o *Options) linalg() linalg.Options {
	return linalg.Options{Workers: o.Compute.Workers, Progress: o.Compute.Progress}
}
