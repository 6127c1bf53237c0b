package pca

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Solver names the way to the components.
type Solver string

const (
	// Auto is Krylov where its basis has fewer than a quarter of min(n, d) vectors, and
	// Exact otherwise.
	Auto Solver = "auto"
	// Exact is the singular value decomposition: about 2nd·min(n,d) flops for products and
	// up to 14/3 min(n,d)³ for the eigenvectors; sparse rows are filled in.
	Exact Solver = "exact"
	// Krylov is randomised block Krylov iteration.
	Krylov Solver = "krylov"
)

var solvers = []Solver{Auto, Exact, Krylov}

const (
	oversampling = 8 // vectors of a block beside the components that are asked for
	iterations   = 7
)

// Options say what to compute. The zero value asks for all components, exactly.
type Options struct {
	Components int       // 0 means all of positive variance
	Weights    []float64 // wᵢ ≥ 0, one for each row; nil means all ones. 2 is the row twice
	Solver     Solver    // "" is [Auto]
	// Iterations is q of [Krylov], which multiplies 2q+1 times with blocks; 0 means 7. The
	// error falls like e^(−q·√gap) with the relative gap of the variances.
	Iterations int
	Seed       uint64          // chooses the random block of [Krylov]
	Compute    compute.Options // workers and memory limit
}

// Report says what was found.
type Report struct {
	N          int    `json:"n"`
	Dim        int    `json:"dim"`
	Components int    `json:"components"`
	Solver     Solver `json:"solver"` // the one that was used
	Why        string `json:"why"`
	// Variances are σ², descending: those of the scores, with the divisor N = Σw.
	Variances []float64 `json:"variances"`
	Total     float64   `json:"total"` // Σᵢ pᵢ‖xᵢ − μ‖²
	Ratio     []float64 `json:"ratio"` // Variances/Total
	// Floor is the σ² that rounding can produce, ε²(max(n,d)·σ₁ + 4‖μ‖)²; Dropped counts
	// the components that were asked for, or computed, and are not above.
	Floor   float64 `json:"floor"`
	Dropped int     `json:"dropped"`
	// Residual is the largest ‖AᵀAv − σ²v‖/σ₁² of a component.
	Residual float64 `json:"residual"`

	model.Run
}

// validate reports every problem of the options for n rows of d numbers.
func (o *Options) validate(n, d int) error {
	c := model.NewChecks("pca")
	if n < 2 || d < 1 {
		c.Add("%d rows of %d numbers have no variance: give at least two rows of one number", n, d)
	}
	if o.Components < 0 || o.Components > max(1, min(n, d)) {
		c.Add("components = %d: %d rows of %d numbers span at most %d directions about their mean; 0 means all", o.Components, n, d, max(0, min(n-1, d)))
	}
	if o.Solver != "" && !slices.Contains(solvers, o.Solver) {
		c.Add("solver %q is not known; one of %q is", o.Solver, solvers)
	}
	if o.Solver == Krylov && o.Components == 0 {
		c.Add("solver %q finds the largest components: say how many", Krylov)
	}
	if o.Iterations < 0 {
		c.Add("iterations = %d is negative", o.Iterations)
	}
	if c.Weights(n, o.Weights) == 1 && n > 1 {
		c.Add("one row has a positive weight, and fewer than two have no variance")
	}
	return c.Err()
}

// shares returns pᵢ = wᵢ/Σw.
func (o *Options) shares(n int) []float64 {
	p := slices.Clone(o.Weights)
	if p == nil {
		p = slices.Repeat([]float64{1}, n)
	}
	floats.Scale(1/floats.Sum(p), p)
	return p
}

// block returns the width of the blocks of Krylov and how many there are.
func (o *Options) block(n, d int) (width, count int) {
	q := o.Iterations
	if q == 0 {
		q = iterations
	}
	width = min(o.Components+oversampling, min(n, d))
	return width, min(q+1, max(1, min(n, d)/width))
}

// choose returns the solver and why it is this one.
func (o *Options) choose(n, d int) (Solver, string) {
	switch {
	case o.Solver == Exact || o.Solver == Krylov:
		return o.Solver, "as asked"
	case o.Components == 0:
		return Exact, "auto: all components are asked for"
	}
	width, count := o.block(n, d)
	if 4*width*count < min(n, d) {
		return Krylov, fmt.Sprintf("auto: a basis of %d vectors is less than a quarter of %d", width*count, min(n, d))
	}
	return Exact, fmt.Sprintf("auto: a basis of %d vectors for iterations is not less than a quarter of %d", width*count, min(n, d))
}
