package kpca

import (
	"fmt"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Solver names the way to the eigenvectors.
type Solver string

const (
	// Auto is Exact for all components, in double precision also for at most 1000 rows or
	// more components than an eighth of them, as far as the memory limit allows, and Lanczos
	// otherwise.
	Auto Solver = "auto"
	// Exact decomposes the centred matrix as a whole: up to 14n³/3 flops, 40n² bytes.
	Exact Solver = "exact"
	// Lanczos finds the largest eigenvalues by products with the matrix, which need not
	// be stored ([example.org/mercer/linalg.TopEigen]).
	Lanczos Solver = "lanczos"
	// Primal decomposes the covariance of explicit features: see [Features].
	Primal Solver = "primal"
)

var solvers = []Solver{Auto, Exact, Lanczos, Primal}

const (
	smallOrder = 1000 // up to here the exact decomposition takes less than a second
	exactShare = 8    // from n/8 eigenvalues on the basis of Lanczos outgrows the matrix
)

// Options say what to compute. The zero value asks for all components, exactly.
type Options struct {
	// Components is the number of components; 0 means all of positive variance.
	Components int
	// Weights are wᵢ ≥ 0, one for each row, not all zero; nil means all ones. A weight
	// of 2 is the row twice.
	Weights []float64
	// Origin analyses the points about the origin of the RKHS and not about their mean:
	// eigenvectors of Σᵢ pᵢ φ(xᵢ)φ(xᵢ)ᵀ, scores ⟨v, φ(x)⟩ without a constant.
	Origin bool
	// Solver is the way; "" is [Auto].
	Solver Solver
	// Tolerance of [Lanczos] bounds ‖Gu − λu‖ by Tolerance·λ₁; 0 means 1e-8, and 1e-6 in
	// single precision, whose products are right to about 4e-7.
	Tolerance float64
	// Seed chooses the random start of [Lanczos].
	Seed uint64
	// Compute says how to compute: workers, memory limit, precision, progress. In single
	// precision [Lanczos] multiplies with a matrix of float32, of which there is one.
	Compute compute.Options
}

// validate reports every problem of the options for n rows.
func (o *Options) validate(n int) error {
	c := model.NewChecks("kpca")
	if n < 2 {
		c.Add("%d rows have no variance: give at least two", n)
	}
	if o.Components < 0 || o.Components > max(n, 2) {
		c.Add("components = %d: %d rows span at most %d directions about their mean; 0 means all", o.Components, n, max(n-1, 0))
	}
	if o.Solver != "" && !slices.Contains(solvers, o.Solver) {
		c.Add("solver %q is not known; one of %q is", o.Solver, solvers)
	}
	if !(o.Tolerance >= 0 && o.Tolerance < 1) {
		c.Add("tolerance = %v is not in [0, 1)", o.Tolerance)
	}
	if o.Solver == Lanczos && o.Components == 0 {
		c.Add("solver %q finds the largest components: say how many", Lanczos)
	}
	if c.Weights(n, o.Weights) == 1 && n > 1 {
		c.Add("one row has a positive weight, and fewer than two have no variance")
	}
	return c.Err()
}

// choose returns the solver for n rows and why it is this one.
func (o *Options) choose(n int) (Solver, string) {
	k, need := o.Components, exactBytes(n)
	limit := o.Compute.MaxMemory
	fits := limit <= 0 || need <= limit
	switch {
	case o.Solver == Exact || o.Solver == Lanczos:
		return o.Solver, "as asked"
	case k == 0:
		return Exact, "auto: all components are asked for"
	case !fits:
		return Lanczos, fmt.Sprintf("auto: the exact decomposition needs %s, and the limit is %s", compute.FormatBytes(need), compute.FormatBytes(limit))
	case o.Compute.Precision == compute.Single:
		return Lanczos, "auto: single precision"
	case n <= smallOrder:
		return Exact, fmt.Sprintf("auto: at most %d rows", smallOrder)
	case k > n/exactShare:
		return Exact, fmt.Sprintf("auto: more than n/%d components are asked for", exactShare)
	}
	return Lanczos, fmt.Sprintf("auto: at most n/%d components of more than %d rows", exactShare, smallOrder)
}

// exactBytes is the peak of the exact way: the matrix and what linalg.EigenSym takes.
func exactBytes(n int) int64 { return 5 * 8 * int64(n) * int64(n) }
