package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Checks collects what is wrong with the options and the rows that a method is given:
// all of it, each problem under the name of the package.
type Checks struct {
	name     string
	problems []error
}

// NewChecks returns the checks of a package.
func NewChecks(name string) *Checks { return &Checks{name: name} }

// Add adds a problem.
func (c *Checks) Add(format string, args ...any) {
	c.problems = append(c.problems, fmt.Errorf(c.name+": "+format, args...))
}

// Err returns all problems, joined; nil if there are none.
func (c *Checks) Err() error { return errors.Join(c.problems...) }

// Penalty wants one of λ > 0 and Nλ > 0; without says what is wrong where both are 0.
func (c *Checks) Penalty(lambda, ridge float64, without string) {
	for _, p := range []struct {
		name  string
		value float64
	}{{"lambda", lambda}, {"ridge", ridge}} {
		if negative(p.value) {
			c.Add("%s = %v is not a finite number > 0", p.name, p.value)
		}
	}
	switch {
	case lambda != 0 && ridge != 0:
		c.Add("lambda = %v and ridge = %v are two ways to give one number (ridge = Nλ): give one", lambda, ridge)
	case lambda == 0 && ridge == 0:
		c.Add("lambda is 0: %s; give a λ > 0", without)
	}
}

// negative reports a number that is not finite or below 0.
func negative(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }

// Rows wants a row at least, and as many targets as rows.
func (c *Checks) Rows(n, targets int) {
	if n == 0 {
		c.Add("there are no rows to learn from")
	}
	if targets != n {
		c.Add("%d targets for %d rows: one is needed for each", targets, n)
	}
}

// Weights wants n finite numbers ≥ 0, not all zero, or nil, which is all ones. It returns how many
// are not zero; 0 where the weights are wrong.
func (c *Checks) Weights(n int, weights []float64) (positive int) {
	if weights == nil {
		return n
	}
	if len(weights) != n {
		c.Add("%d weights for %d rows: one is needed for each", len(weights), n)
		return 0
	}
	for i, w := range weights {
		if negative(w) {
			c.Add("weight %d = %v is not a finite number ≥ 0", i, w)
			return 0
		}
		if w > 0 {
			positive++
		}
	}
	if positive == 0 && n > 0 {
		c.Add("all weights are zero: nothing to learn from")
	}
	return positive
}

// Classes wants what [Checks.Rows] and [Checks.Weights] want, classes numbered from 0
// without gaps, two at least, and of each a row whose weight is not zero. It says whether
// all is well.
func (c *Checks) Classes(n int, y []int, weights []float64) bool {
	before := len(c.problems)
	c.Rows(n, len(y))
	c.Weights(n, weights)
	if len(c.problems) > before {
		return false
	}
	for i, class := range y {
		if class < 0 || class >= n {
			c.Add("the class of row %d is %d: number the classes of the %d rows without gaps from 0", i, class, n)
			return false
		}
	}
	shares := ClassWeights(y, weights)
	if len(shares) == 1 {
		c.Add("all rows are of class 0: telling classes apart needs rows of at least two")
	}
	rows := ClassWeights(y, nil)
	for class := range shares {
		switch {
		case rows[class] == 0:
			c.Add("class %d has no rows: number the classes without gaps from 0", class)
		case shares[class] == 0:
			c.Add("the %v rows of class %d all have weight zero, so that nothing is known of it: give one a positive weight or leave the class out", rows[class], class)
		}
	}
	return len(c.problems) == before
}

// Weight returns the weight of row i, which is 1 where there are no weights.
func Weight(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// ClassWeights returns the sum of the weights of the rows of each class from 0 to the
// largest.
func ClassWeights(y []int, weights []float64) []float64 {
	out := make([]float64, 1+slices.Max(y))
	for i, class := range y {
		out[class] += Weight(weights, i)
	}
	return out
}
