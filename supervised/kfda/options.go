package kfda

import (
	"math"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
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
	// Solver is the space, and how its system is solved; "" is [space.Auto].
	Solver space.Solver
	// Compute says how to compute: workers, memory limit, progress, and the precision of
	// the system, see [space.Options].
	Compute compute.Options
}

// Space returns the options of the space that these options ask for: see [space.Of] and
// [space.DualOf].
func (o Options) Space() space.Options {
	return space.Options{Solver: o.Solver, Compute: o.Compute}
}

// validate reports every problem of the options and of y for n rows.
func (o *Options) validate(n int, y []int) error {
	c := model.NewChecks("kfda")
	c.Penalty(o.Lambda, o.Ridge, "the scatter within the classes has no inverse in feature space")
	if o.Directions < 0 {
		c.Add("directions = %d is not a number ≥ 0", o.Directions)
	}
	if !c.Classes(n, y, o.Weights) {
		return c.Err()
	}
	m := 1 + slices.Max(y)
	if o.Directions >= m {
		c.Add("directions = %d, but %d classes have at most %d", o.Directions, m, m-1)
	}
	if o.Priors != nil && len(o.Priors) != m {
		c.Add("%d priors for %d classes", len(o.Priors), m)
	}
	for class, p := range o.Priors {
		if bad(p) || p == 0 {
			c.Add("the prior %v of class %d is not a finite number > 0", p, class)
		}
	}
	return c.Err()
}

func bad(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }

func (o *Options) linalg() linalg.Options {
	return linalg.Options{Workers: o.Compute.Workers, Progress: o.Compute.Progress}
}
