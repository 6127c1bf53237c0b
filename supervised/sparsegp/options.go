package sparsegp

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/supervised/gp"
)

// Approximation says what landmarks make of a process; see the table of the package.
type Approximation string

const (
	// Variational is the bound of Titsias, the default.
	Variational Approximation = "variational"
	// FITC is the fully independent training conditional: Snelson and Ghahramani, Sparse
	// Gaussian processes using pseudo-inputs, NIPS 2005; QR section 6.
	FITC Approximation = "fitc"
	// DTC is the deterministic training conditional, QR section 5.
	DTC Approximation = "dtc"
	// SoR is the subset of regressors, QR section 4: a process with the kernel φ(x)ᵀφ(x′), whose
	// variance vanishes far from the landmarks.
	SoR Approximation = "sor"
)

// Approximations are all of them.
var Approximations = []Approximation{Variational, FITC, DTC, SoR}

// Options describe the noise, the mean and the approximation. The noise must be positive in
// every row of positive weight.
type Options struct {
	// Approximation is the way; "" is [Variational].
	Approximation Approximation
	// Noise, RowNoise, Mean and Weights are those of [gp.Options].
	Noise    float64
	RowNoise []float64
	Mean     gp.Mean
	Weights  []float64
	// Jitter ≥ 0, times the mean of the diagonal of K_mm, is added to it; 0 means 1e-10. It makes
	// the landmarks' values u = f(Z) + ε with ε of that variance: a choice of u that leaves
	// the bound of [Variational] a bound. It enters every result and every gradient.
	Jitter float64
	// Compute says how to compute: workers, memory limit, progress.
	Compute compute.Options
}

// defaultJitter is far above the rounding of K_mm for thousands of landmarks, 2⁻⁵²m, and of
// any noise that data can tell from zero.
const defaultJitter = 1e-10

// validate reports every problem of the options for n rows, m landmarks, and y if it is not
// nil.
func (o *Options) validate(n, m int, y *mat.Dense) error {
	c := model.NewChecks("sparsegp")
	if o.Approximation != "" && !slices.Contains(Approximations, o.Approximation) {
		c.Add("approximation %q is not known; one of %q is", o.Approximation, Approximations)
	}
	for _, p := range []struct {
		name  string
		value float64
	}{{"noise", o.Noise}, {"jitter", o.Jitter}} {
		if !finite(p.value) || p.value < 0 {
			c.Add("%s = %v is not a finite number ≥ 0", p.name, p.value)
		}
	}
	if o.Mean != "" && o.Mean != gp.Constant && o.Mean != gp.Zero {
		c.Add("mean %q is not known; %q and %q are", o.Mean, gp.Constant, gp.Zero)
	}
	if m == 0 {
		c.Add("there are no landmarks")
	}
	if y != nil {
		checkTargets(c, n, y)
	}
	c.Weights(n, o.Weights)
	if o.RowNoise != nil && len(o.RowNoise) != n {
		c.Add("%d variances of the noise of rows for %d rows: one is needed for each", len(o.RowNoise), n)
	}
	if c.Err() == nil {
		o.checkNoise(c, n)
	}
	return c.Err()
}

// checkTargets wants n rows of finite numbers.
func checkTargets(c *model.Checks, n int, y *mat.Dense) {
	rows, cols := y.Dims()
	if c.Rows(n, rows); cols == 0 {
		c.Add("there are no targets (y is empty)")
	}
	for i := range rows {
		for j, v := range y.RawRowView(i) {
			if !finite(v) {
				c.InfiniteTarget(fmt.Sprintf("y[%d,%d]", i, j), i, j, v)
				return
			}
		}
	}
}

// checkNoise wants it positive in every row that counts.
func (o *Options) checkNoise(c *model.Checks, n int) {
	for i, v := range o.RowNoise {
		if !finite(v) || v < 0 {
			c.Add("the variance of the noise of row %d is %v, not a finite number ≥ 0", i, v)
			return
		}
	}
	for i := range n {
		if model.Weight(o.Weights, i) > 0 && o.noise(i) == 0 {
			c.Add("row %d has no noise, and m landmarks cannot pass through n rows: give a noise > 0", i)
			return
		}
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func (o *Options) approximation() Approximation { return cmp.Or(o.Approximation, Variational) }
func (o *Options) jitter() float64              { return cmp.Or(o.Jitter, defaultJitter) }
func (o *Options) constant() bool               { return o.Mean != gp.Zero }

// noise is the variance of row i at weight 1.
func (o *Options) noise(i int) float64 {
	if o.RowNoise == nil {
		return o.Noise
	}
	return o.Noise + o.RowNoise[i]
}

func (o *Options) linalg() linalg.Options {
	return linalg.Options{Workers: o.Compute.Workers}
}
