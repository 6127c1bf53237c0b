package kfda

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mercer/gram"
	"mercer/linalg"
)

// Options say which discriminant to find. Lambda or Ridge must be positive: without a
// penalty the scatter within the classes has no inverse.
type Options struct {
	// Lambda is λ > 0 in S_w + λI.
	Lambda float64
	// Ridge is Nλ, the other way to give the same number. Only one of the two may be
	// nonzero.
	Ridge float64
	// Directions is how many directions to keep, those of the largest ratios; 0 is all
	// that there are, at most the number of classes less one.
	Directions int
	// Priors are the probabilities of the classes in the rule of [Decision], up to a
	// common factor; nil: their shares of the weight.
	Priors []float64
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones. Every class needs a row
	// of positive weight.
	Weights []float64
	// Compute says how to compute: workers, memory limit, progress. The precision is
	// double whatever it says.
	Compute gram.Options
}

// validate reports every problem of the options and of y for n rows.
func (o *Options) validate(n int, y []int) error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("kfda: "+format, args...)) }
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
		add("lambda is 0: the scatter within the classes has no inverse in feature space; give a λ > 0")
	}
	if o.Directions < 0 {
		add("directions = %d is not a number ≥ 0", o.Directions)
	}
	if err := validateRows(n, y, o.Weights); err != nil {
		return errors.Join(append(problems, err)...)
	}
	m := 1 + slices.Max(y)
	if o.Directions >= m {
		add("directions = %d, but %d classes have at most %d", o.Directions, m, m-1)
	}
	if o.Priors != nil && len(o.Priors) != m {
		add("%d priors for %d classes", len(o.Priors), m)
	}
	for c, p := range o.Priors {
		if bad(p) || p == 0 {
			add("the prior %v of class %d is not a finite number > 0", p, c)
		}
	}
	return errors.Join(problems...)
}

// validateRows reports the problems of classes and weights for n rows.
func validateRows(n int, y []int, weights []float64) error {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("kfda: "+format, args...)) }
	if n == 0 {
		add("there are no rows to learn from")
	}
	if len(y) != n {
		add("%d labels for %d rows", len(y), n)
	}
	if weights != nil && len(weights) != n {
		add("%d weights for %d rows", len(weights), n)
	}
	if len(problems) > 0 {
		return errors.Join(problems...)
	}
	for i, c := range y {
		if c < 0 || c >= n {
			return fmt.Errorf("kfda: the class of row %d is %d: number the classes of the %d rows without gaps from 0", i, c, n)
		}
		if weights != nil && bad(weights[i]) {
			return fmt.Errorf("kfda: weight %d = %v is not a finite number ≥ 0", i, weights[i])
		}
	}
	rows, shares := make([]int, 1+slices.Max(y)), classWeights(y, weights)
	if len(shares) == 1 {
		return errors.New("kfda: all rows are of class 0: telling classes apart needs rows of at least two")
	}
	for _, c := range y {
		rows[c]++
	}
	for c := range rows {
		switch {
		case rows[c] == 0:
			add("class %d has no rows: number the classes without gaps from 0", c)
		case shares[c] == 0:
			add("the %d rows of class %d all have weight zero, so that it has no mean: give one a positive weight or leave the class out", rows[c], c)
		}
	}
	return errors.Join(problems...)
}

// classWeights returns N_c, the weight of each class.
func classWeights(y []int, weights []float64) []float64 {
	out := make([]float64, 1+slices.Max(y))
	for i, c := range y {
		out[c] += weightOf(weights, i)
	}
	return out
}

func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

func bad(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }

func (o *Options) linalg() linalg.Options {
	return linalg.Options{Workers: o.Compute.Workers, Progress: o.Compute.Progress}
}
