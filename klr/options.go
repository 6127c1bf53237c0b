package klr

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/linalg"
)

// Solver names the space in which Newton's method runs.
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
	// rows in the report: 2n³ multiplications with [Cholesky] for two classes. For m > 2
	// it factors a matrix of order nm, at most 8000: m³ times the work.
	LOO bool
	// Compute says how to compute: workers, memory limit, progress. The precision is
	// double whatever it says.
	Compute gram.Options
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

// validate reports every problem of the options and of y for n rows.
func (o *Options) validate(n int, y []int) error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("klr: "+format, args...)) }
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
		add("lambda is 0: without a penalty classes that a function separates have no minimum; give a λ > 0")
	}
	if o.Solver != "" && !slices.Contains(solvers, o.Solver) {
		add("solver %q is not known; one of %q is", o.Solver, solvers)
	}
	if n == 0 {
		add("there are no rows to learn from")
	}
	if len(y) != n {
		add("%d labels for %d rows", len(y), n)
	}
	if o.Weights != nil && len(o.Weights) != n {
		add("%d weights for %d rows", len(o.Weights), n)
	}
	if err := errors.Join(problems...); err != nil {
		return err
	}
	problems = append(problems, o.validateClasses(y)...)
	problems = append(problems, o.validateOffsets(n, outputs(classes(y)))...)
	return errors.Join(problems...)
}

// validateClasses checks labels and weights together: every class needs weight.
func (o *Options) validateClasses(y []int) []error {
	for i, c := range y {
		if c < 0 {
			return []error{fmt.Errorf("klr: the class of row %d is %d: classes are numbered from 0", i, c)}
		}
		if c >= len(y) {
			return []error{fmt.Errorf("klr: the class of row %d is %d, but %d rows have at most %d classes: number them without gaps from 0", i, c, len(y), len(y))}
		}
		if o.Weights != nil && bad(o.Weights[i]) {
			return []error{fmt.Errorf("klr: weight %d = %v is not a finite number ≥ 0", i, o.Weights[i])}
		}
	}
	m := classes(y)
	if m == 1 {
		return []error{fmt.Errorf("klr: all rows are of class 0: logistic regression needs rows of at least two classes")}
	}
	rows, weight := make([]int, m), make([]float64, m)
	for i, c := range y {
		rows[c]++
		if o.Weights == nil {
			weight[c]++
		} else {
			weight[c] += o.Weights[i]
		}
	}
	var problems []error
	for c := range m {
		switch {
		case rows[c] == 0:
			problems = append(problems, fmt.Errorf("klr: class %d has no rows: number the classes without gaps from 0", c))
		case weight[c] == 0:
			problems = append(problems, fmt.Errorf("klr: the %d rows of class %d all have weight zero, so that its probability would fall without bound: give one a positive weight or leave the class out", rows[c], c))
		}
	}
	return problems
}

func (o *Options) validateOffsets(n, want int) []error {
	if o.Offsets == nil {
		return nil
	}
	if r, c := o.Offsets.Dims(); r != n || c != want {
		return []error{fmt.Errorf("klr: offsets are %d×%d, but there are %d rows and %d functions", r, c, n, want)}
	}
	for i := range n {
		for c, v := range o.Offsets.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return []error{fmt.Errorf("klr: offset [%d,%d] = %v is not a finite number", i, c, v)}
			}
		}
	}
	return nil
}

func bad(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }

func (o *Options) linalg() linalg.Options {
	return linalg.Options{Workers: o.Compute.Workers, Progress: o.Compute.Progress}
}
