package falkon

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/loss"
	"example.org/mercer/model"
)

// Options say what to minimise. Lambda or Ridge must be positive.
type Options struct {
	// Lambda is λ > 0 in (1/N) Σ wᵢℓᵢ + (λ/2)‖f‖², which is the λ of package krr for the
	// squared loss.
	Lambda float64
	// Ridge is R = Nλ, the other way to give the same number. Only one of the two may be
	// nonzero.
	Ridge float64
	// NoIntercept fixes b = 0. The intercept is otherwise free and not penalised.
	NoIntercept bool
	// Weights are the wᵢ ≥ 0, one per row, not all zero; nil means all ones.
	Weights []float64
	// Loss is that of every target; nil is the squared loss. It must be convex with a
	// gradient: squared, logistic, squared-hinge or huber with a scale.
	Loss loss.Loss
	// Joint couples the outputs: the columns of y are one label, 1 in its column and −1 in
	// the others, and its loss is −ln e^(f_c)/Σ e^f, the logistic loss of two labels for many.
	// The Loss must be the logistic one. Constants have the sum 0, and so do the functions.
	Joint bool
	// Stop says when the iteration ends.
	Stop Stop
	// Compute says how to compute: workers, memory limit, progress, and the precision. In
	// [compute.Single] the passes of the iteration are made in single precision, with sums in
	// double, and the residual is computed in double precision at the end; where single
	// precision does not reach the tolerance the rest is done in double, with a warning.
	// Kernels without a single precision of their own ignore it.
	Compute compute.Options
}

// Stop says when an iteration ends: at the tolerance, when the rows left out are predicted
// no better, or when the passes are spent.
type Stop struct {
	// Tolerance is the length of the gradient in the space of f relative to that at
	// f = 0, b = ȳ, for every target; 0 means 1e-4.
	Tolerance float64
	// Passes is the largest number of passes over the rows in conjugate gradients, each a product
	// with K_nm and its transpose; 0 means 200, and 1000 for losses other than the squared one.
	// Where they do not suffice the report says so in a warning.
	Passes int
	// Validation are rows that are not learned from. The iteration ends when their
	// mean loss has not improved in Patience steps (0 means 3), and the best iterate is
	// the result. The value of each step costs a pass over these rows.
	Validation []int
	Patience   int
}

func (s Stop) tolerance() float64 { return cmp.Or(s.Tolerance, 1e-4) }
func (s Stop) patience() int      { return cmp.Or(s.Patience, 3) }

// passes returns the effective limit.
func (o *Options) passes() int {
	if _, squared := o.lossOf().(loss.Squared); squared {
		return cmp.Or(o.Stop.Passes, 200)
	}
	return cmp.Or(o.Stop.Passes, 1000)
}

// lossOf returns the loss.
func (o *Options) lossOf() loss.Loss {
	if o.Loss == nil {
		return loss.Squared{}
	}
	return o.Loss
}

// validate reports every problem of the options, of y for n rows and of m landmarks.
func (o *Options) validate(n, m int, y *mat.Dense) error {
	c := model.NewChecks("falkon")
	c.Penalty(o.Lambda, o.Ridge, "landmarks that are alike would leave the minimum undetermined")
	if !(o.Stop.Tolerance >= 0 && o.Stop.Tolerance < 1) {
		c.Add("tolerance = %v is not in [0, 1)", o.Stop.Tolerance)
	}
	if o.Stop.Passes < 0 || o.Stop.Patience < 0 {
		c.Add("passes = %d and patience = %d: neither may be negative", o.Stop.Passes, o.Stop.Patience)
	}
	switch {
	case m == 0:
		c.Add("there are no landmarks")
	case m > n:
		c.Add("%d landmarks for %d rows: more landmarks than rows do not enlarge the span that matters; take at most %d, or all rows by krr", m, n, n)
	}
	checkTargets(c, n, y)
	c.Weights(n, o.Weights)
	o.checkValidation(c, n)
	if c.Err() == nil {
		checkLoss(c, o.lossOf(), y, o.Weights)
	}
	if c.Err() == nil && o.Joint {
		checkJoint(c, o.lossOf(), y)
	}
	return c.Err()
}

// checkTargets wants n finite rows of targets, one at least.
func checkTargets(c *model.Checks, n int, y *mat.Dense) {
	if y == nil || y.IsEmpty() {
		c.Add("there are no targets (y is empty)")
		return
	}
	c.Rows(n, y.RawMatrix().Rows)
	for i := range y.RawMatrix().Rows {
		for j, v := range y.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				c.InfiniteTarget(fmt.Sprintf("y[%d,%d]", i, j), i, j, v)
				return
			}
		}
	}
}

func (o *Options) checkValidation(c *model.Checks, n int) {
	rows := slices.Clone(o.Stop.Validation)
	slices.Sort(rows)
	switch {
	case len(rows) == 0:
	case rows[0] < 0 || rows[len(rows)-1] >= n:
		c.Add("validation rows reach from %d to %d, and the rows from 0 to %d", rows[0], rows[len(rows)-1], n-1)
	case len(slices.Compact(slices.Clone(rows))) < len(rows):
		c.Add("a row is named twice for validation: name each once")
	case len(rows) == n:
		c.Add("all %d rows are for validation: nothing is left to learn from", n)
	}
}

// checkLoss wants a loss that Newton's method can minimise, and targets that suit it.
func checkLoss(c *model.Checks, l loss.Loss, y *mat.Dense, weights []float64) {
	switch l := l.(type) {
	case loss.Piecewise:
		c.Add("the loss %s has corners, and this method needs a gradient everywhere: use squared, logistic, squared-hinge or huber, or package erm", l)
	case loss.Nonconvex:
		c.Add("the loss %s is not convex: use huber, or package erm", l)
	case loss.Huber:
		if !(l.Scale > 0) || math.IsInf(l.Scale, 1) || !(l.K >= 0) || math.IsInf(l.K, 1) {
			c.Add("%s: the scale of the residuals is not estimated here: give huber(k=…, scale=…) with k ≥ 0 and a scale > 0", l)
		}
	case loss.Logistic, loss.SquaredHinge:
		checkLabels(c, l, y, weights)
	}
}

// checkJoint wants one label in each row.
func checkJoint(c *model.Checks, l loss.Loss, y *mat.Dense) {
	rows, cols := y.Dims()
	if _, ok := l.(loss.Logistic); !ok || cols < 2 {
		c.Add("the joint loss of %d columns with the loss %s: it is the logistic loss of two labels and more, with a column for each", cols, l)
		return
	}
	for i := range rows {
		ones := 0
		for _, v := range y.RawRowView(i) {
			if v == 1 {
				ones++
			}
		}
		if ones != 1 {
			c.Add("row %d of y has %d labels: the joint loss wants 1 in the column of its label and −1 in the others", i, ones)
			return
		}
	}
}

// checkLabels wants −1 and 1, both of them in each column.
func checkLabels(c *model.Checks, l loss.Loss, y *mat.Dense, weights []float64) {
	rows, cols := y.Dims()
	for j := range cols {
		var seen [2]bool
		for i := range rows {
			v := y.At(i, j)
			if v != 1 && v != -1 {
				c.NoLabel(fmt.Sprintf("y[%d,%d]", i, j), i, j, v, fmt.Sprintf("the %s loss", l))
				return
			}
			if model.Weight(weights, i) > 0 {
				seen[(1+int(v))/2] = true
			}
		}
		if !seen[0] || !seen[1] {
			c.Add("target %d has one label only: telling two apart needs rows of both", j)
		}
	}
}
