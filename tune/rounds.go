package tune

import (
	"cmp"
	"math"
)

// Round is a part of a search: so many kernels, each with so many sets of values of the method, on
// a share of the training rows.
type Round struct {
	Kernels int     `json:"kernels"`
	Sets    int     `json:"sets"`
	Share   float64 `json:"share"`
}

// Rounds says what a search by [Cross] will try, for the parameters of a kernel and those of a
// method, where the first split has so many training rows.
func (o CrossOptions) Rounds(kernel []Parameter, method []Axis, train int) []Round {
	switch cmp.Or(o.Strategy, Grid) {
	case Auto, Grid:
		r := Round{1, 1, 1}
		for i := range kernel {
			r.Kernels *= len(kernel[i].octaves(cmp.Or(o.Trials, crossGridValues)))
		}
		for _, a := range method {
			r.Sets *= len(a.Values)
		}
		return []Round{r}
	case Halving:
		var out []Round
		left := o.candidates()
		for r := halvings(left, train); r >= 0; r-- {
			out = append(out, Round{left, 1, math.Pow(eta, -float64(r))})
			left = max(1, left/eta)
		}
		return out
	}
	return []Round{{o.candidates(), 1, 1}}
}

// candidates is the number of candidates that are drawn.
func (o CrossOptions) candidates() int { return cmp.Or(o.Trials, crossCandidates) }

// halvings is the number of rounds of [Halving] on less than all of the training rows.
func halvings(candidates, train int) int {
	rounds := 0
	for n := candidates; n >= eta && math.Pow(eta, float64(rounds+1))*minShareRows <= float64(train); n /= eta {
		rounds++
	}
	return rounds
}

// Effort is what a search by [KRR] will try.
type Effort struct {
	Method  Method
	Kernels int // whose criterion is evaluated, by [Gradient] as often as a descent is taken to need
	Lambdas int // of each kernel; 1 by [Gradient]
}

// A descent is assumed to evaluate a criterion and its gradient so often, and so often more for
// each parameter and for λ. The search among starts on few rows is not counted.
const assumedEvaluations, evaluationsEach = 10, 2

// Effort says what a search for some parameters of a kernel will try; smooth says whether the
// kernel has a gradient.
func (o Options) Effort(parameters []Parameter, smooth bool) Effort {
	o.Criterion = cmp.Or(o.Criterion, o.criterionFor(len(parameters)))
	over := o.Lambda
	if over.Upper == 0 {
		over = RangeFor(1)
	}
	e := Effort{Method: o.methodFor(len(parameters), smooth), Kernels: 1, Lambdas: len(over.lambdas())}
	switch {
	case len(parameters) == 0 && e.Method != Grid:
		e.Lambdas += goldenSteps
	case e.Method == Grid:
		for i := range parameters {
			e.Kernels *= len(parameters[i].axis(cmp.Or(o.Trials, gridValues)))
		}
	case e.Method == Gradient:
		e.Kernels, e.Lambdas = max(1, o.Trials)*(assumedEvaluations+evaluationsEach*(len(parameters)+1)), 1
	default:
		e.Kernels, e.Lambdas = cmp.Or(o.Trials, randomKernels), e.Lambdas+goldenSteps
	}
	return e
}

// goldenSteps are about those that find a λ to one per cent between its neighbours of a grid.
const goldenSteps = 12

// criterionFor is the default for so many parameters of a kernel.
func (o Options) criterionFor(parameters int) Criterion {
	if parameters > 2 {
		return Evidence
	}
	return LOO
}

// methodFor resolves [Auto] for so many parameters of a kernel; smooth says whether it has a
// gradient.
func (o Options) methodFor(parameters int, smooth bool) Method {
	switch m := cmp.Or(o.Method, Auto); {
	case m != Auto:
		return m
	case parameters == 1:
		return Grid
	case parameters > 1 && smooth && o.Criterion != CV:
		return Gradient
	case parameters == 2:
		return Grid
	}
	return Random
}
