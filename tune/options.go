package tune

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/compute"
)

// Strategy is how a search moves.
type Strategy string

const (
	// Auto is [Grid] for the parameters of a method. Where λ is followed it is Grid for one
	// parameter of the kernel; for more it is [Gradient] if criterion and kernel have one,
	// else Grid for two, else [Random].
	Auto Strategy = "auto"
	// Gradient is L-BFGS on the criterion in λ and the parameters of the kernel at once.
	Gradient Strategy = "gradient"
	// Grid tries the start of every parameter of the kernel times powers of 2 with every
	// value of the method. Where λ is followed the powers are those of √2, λ has two values a
	// decade, and the node whose neighbourhood is best is taken: for the leave-one-out error
	// of a few hundred rows that generalises better than its exact minimum.
	Grid Strategy = "grid"
	// Random tries points that are drawn between the bounds.
	Random Strategy = "random"
	// Halving draws candidates, tries all of them on a small share of the training
	// rows, and each time the best third on three times as many (Jamieson and
	// Talwalkar, Non-stochastic best arm identification and hyperparameter
	// optimization, AISTATS 2016).
	Halving Strategy = "halving"
	// Bayes draws a few candidates and then tries where a Gaussian process on the scores
	// so far expects the largest improvement (Jones, Schonlau and Welch, Efficient
	// global optimization of expensive black-box functions, 1998).
	Bayes Strategy = "bayes"
	// Compass moves from the start to a neighbour on the grid of [Grid] until none is better, where
	// λ is followed: for a start that is about known.
	Compass Strategy = "compass"
)

// Strategies are all of them.
var Strategies = []Strategy{Auto, Gradient, Grid, Random, Halving, Bayes, Compass}

// PathStrategies are those that follow λ along a path, AxisStrategies those for the values of a
// method.
var (
	PathStrategies = []Strategy{Auto, Gradient, Grid, Random, Compass}
	AxisStrategies = []Strategy{Auto, Grid, Random, Halving, Bayes}
)

// Strategies returns how a search for what is free can move.
func (f *Free) Strategies() []Strategy {
	if f.Lambda != nil {
		return PathStrategies
	}
	return AxisStrategies
}

// Options say how to search. The zero value takes the strategy that suits the space.
type Options struct {
	Strategy Strategy // "" is [Auto]
	// Trials is for Gradient the number of starts (0: 1); for Grid the number of values of
	// each parameter of the kernel (0: 7, and 13 where λ is followed); else the number of
	// candidates (0: 40).
	Trials int
	Seed   uint64
	// Simplest takes, of the trials whose score is within one standard error of the best, the one
	// with the simplest model (Breiman, Friedman, Olshen and Stone, Classification and Regression
	// Trees, 1984, section 3.4.3), for which the criterion must have splits. Without it that is
	// done among trials that tie.
	Simplest bool
	// Compute says how the Gram matrices are computed, and what may be held. Its checkpoint
	// keeps the scores of every kernel, and every evaluation of a gradient.
	Compute compute.Options
	// Journal keeps the trials, so that a search that was stopped goes on where it was;
	// nil: it starts anew. Where λ is followed the checkpoint does that.
	Journal *Journal
	// Found, if not nil, is told of every trial that is the best until then.
	Found func(best Trial)
}

// check returns the options with the default strategy, or all their problems for what is free.
func (o Options) check(f *Free) (Options, error) {
	var problems []error
	o.Strategy = cmp.Or(o.Strategy, Auto)
	switch can := f.Strategies(); {
	case !slices.Contains(Strategies, o.Strategy):
		problems = append(problems, fmt.Errorf("tune: strategy %q is not known; one of %q is", o.Strategy, Strategies))
	case !slices.Contains(can, o.Strategy):
		problems = append(problems, fmt.Errorf("tune: these parameters cannot be searched by %q; they can by %q", o.Strategy, can))
	}
	if o.Trials < 0 {
		problems = append(problems, fmt.Errorf("tune: %d trials: there must be at least one, or 0 for the default", o.Trials))
	}
	if f.Lambda != nil && o.Journal != nil {
		problems = append(problems, errors.New("tune: a search along a path of λ has no journal: its steps are kept by a checkpoint"))
	}
	return o, errors.Join(problems...)
}

// The defaults of [Options.Trials].
const (
	pathGridValues = 13
	gridValues     = 7
	candidates     = 40
)

// candidates is the number of candidates that are drawn.
func (o Options) candidates() int { return cmp.Or(o.Trials, candidates) }

// resolve returns the strategy of [Auto]; smooth says whether there is a gradient.
func (o Options) resolve(f *Free, smooth bool) Strategy {
	switch kernel := len(f.Parameters); {
	case o.Strategy != "" && o.Strategy != Auto:
		return o.Strategy
	case f.Lambda == nil || kernel == 1:
		return Grid
	case kernel > 1 && smooth:
		return Gradient
	case kernel == 2:
		return Grid
	}
	return Random
}

// Round is a part of a search: so many kernels, each with so many sets of values of the method, on
// a share of the training rows.
type Round struct {
	Kernels int     `json:"kernels"`
	Sets    int     `json:"sets"`
	Share   float64 `json:"share"`
}

// A descent is assumed to evaluate a criterion and its gradient so often, and so often more for
// each parameter and for λ. The search among starts on few rows is not counted.
const assumedEvaluations, evaluationsEach = 10, 2

// goldenSteps are about those that find a λ to one per cent between its neighbours of a grid.
const goldenSteps = 12

// Rounds says by which strategy a search moves, and what it will try, where the first split has
// so many training rows. smooth says whether criterion and kernel have a gradient, whose
// evaluations are counted as kernels.
func (o Options) Rounds(f Free, smooth bool, train int) (Strategy, []Round) {
	strategy, lambdas := o.resolve(&f, smooth), 1
	if f.Lambda != nil {
		lambdas = len(f.Lambda.orDefault(1).lambdas())
	}
	switch {
	case strategy == Compass:
		kernels, sets := f.compassRound()
		return strategy, []Round{{kernels, sets, 1}}
	case f.Lambda != nil && len(f.Parameters) == 0 && strategy != Grid:
		return strategy, []Round{{1, lambdas + goldenSteps, 1}}
	case strategy == Grid:
		r := Round{1, lambdas, 1}
		for _, values := range f.grid(o.Trials) {
			r.Kernels *= len(values)
		}
		for _, a := range f.Axes {
			r.Sets *= len(a.Values)
		}
		return strategy, []Round{r}
	case strategy == Gradient:
		return strategy, []Round{{max(1, o.Trials) * (assumedEvaluations + evaluationsEach*(len(f.Parameters)+1)), 1, 1}}
	case strategy == Halving:
		var out []Round
		left := o.candidates()
		for r := halvings(left, train); r >= 0; r-- {
			out = append(out, Round{left, 1, math.Pow(eta, -float64(r))})
			left = max(1, left/eta)
		}
		return strategy, out
	case f.Lambda != nil:
		return strategy, []Round{{o.candidates(), lambdas + goldenSteps, 1}}
	}
	return strategy, []Round{{o.candidates(), 1, 1}}
}
