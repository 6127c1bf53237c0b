package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/krr"
)

// Criterion is what a search minimises: one of krr's, or cross-validation.
type Criterion string

const (
	LOO      = Criterion(krr.LOO)      // exact leave-one-out mean squared error
	GCV      = Criterion(krr.GCV)      // generalised cross-validation
	Evidence = Criterion(krr.Evidence) // −log marginal likelihood, variance profiled out
	CV       = Criterion("cv")         // mean of Options.Score over Options.Splits
)

// Criteria are all of them.
var Criteria = []Criterion{LOO, GCV, Evidence, CV}

// Method is how a search moves.
type Method string

const (
	// Auto is Grid for one parameter. For more it is Gradient if the kernel is
	// differentiable and the criterion is not CV, else Grid for two, else Random.
	Auto Method = "auto"
	// Gradient is L-BFGS on the criterion in λ and the parameters at once.
	Gradient Method = "gradient"
	// Grid tries the start of every parameter times powers of √2 and λ at two values a
	// decade, and takes the node whose neighbourhood is best: for the leave-one-out
	// error of a few hundred rows that generalises better than its exact minimum.
	Grid Method = "grid"
	// Random tries parameters drawn between their bounds, each with its best λ.
	Random Method = "random"
)

// Methods are all of them.
var Methods = []Method{Auto, Gradient, Grid, Random}

// Options say how to search. The zero value takes the criterion and the method that
// suit the kernel, from one start.
type Options struct {
	// Criterion is what to minimise. "" is [LOO] with at most two parameters and
	// [Evidence] with more: leave-one-out errors can be overfitted by many parameters.
	Criterion Criterion
	Splits    []Split // for [CV]
	Score     Score   // for [CV]; "" is [RMSE]
	Method    Method  // "" is [Auto]
	// Trials is for Gradient the number of starts (0: 1), for Grid the number of values
	// of each parameter (0: 13), for Random the number of kernels (0: 40).
	Trials int
	Seed   uint64
	// Lambda is the range of λ; without bounds it is 1e-10 … 100 times the mean of
	// k(x, x).
	Lambda Range
	// Fit holds the intercept, the weights of the rows, and how to compute.
	Fit krr.PathOptions
}

// Range is an interval of positive numbers. With a Start, which must be inside, the
// first descent of [Gradient] begins exactly there and at the starts of the
// parameters; without one it begins at the best of some coarse trials.
type Range struct{ Lower, Upper, Start float64 }

// withDefaults returns the options with defaults filled in, or all their problems for
// n rows and a number of parameters.
func (o Options) withDefaults(n, parameters int) (Options, error) {
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("tune: "+format, args...)) }
	if o.Criterion == "" {
		o.Criterion = o.criterionFor(parameters)
	}
	if o.Score == "" {
		o.Score = RMSE
	}
	if o.Method == "" {
		o.Method = Auto
	}
	if !slices.Contains(Criteria, o.Criterion) {
		add("criterion %q is not known; one of %q is", o.Criterion, Criteria)
	}
	if !slices.Contains(Scores, o.Score) {
		add("score %q is not known; one of %q is", o.Score, Scores)
	}
	if !slices.Contains(Methods, o.Method) {
		add("method %q is not known; one of %q is", o.Method, Methods)
	}
	switch {
	case o.Criterion == CV && len(o.Splits) == 0:
		add("cross-validation needs splits: give a file of splits or a number of folds")
	case o.Criterion == CV:
		if err := checkSplits(o.Splits, n); err != nil {
			problems = append(problems, err)
		}
	case len(o.Splits) > 0:
		add("splits are given, but criterion %q does not use them: use %q", o.Criterion, CV)
	}
	if o.Criterion == CV && o.Method == Gradient {
		add("cross-validation has no gradient here: use method %q or %q, or criterion %q", Grid, Random, LOO)
	}
	if o.Trials < 0 {
		add("%d trials: there must be at least one, or 0 for the default", o.Trials)
	}
	if r := o.Lambda; (r.Lower != 0 || r.Upper != 0) && !(r.Lower > 0 && r.Lower < r.Upper && !math.IsInf(r.Upper, 1)) {
		add("the range of λ, %v to %v, must be positive, finite and ascending", r.Lower, r.Upper)
	} else if r.Start != 0 && r.Upper != 0 && !(r.Lower <= r.Start && r.Start <= r.Upper) || r.Start < 0 || math.IsNaN(r.Start) || math.IsInf(r.Start, 1) {
		add("λ starts at %v, outside its range", r.Start)
	}
	return o, errors.Join(problems...)
}

// Parameter is one number that a search may move. The coordinate of the search is the
// logarithm where Positive.
type Parameter struct {
	Name     string  `json:"name"`
	Start    float64 `json:"start"`
	Lower    float64 `json:"lower"`
	Upper    float64 `json:"upper"`
	Positive bool    `json:"positive"`
}

// coordinate returns the coordinate of a value.
func (p *Parameter) coordinate(v float64) float64 {
	if p.Positive {
		return math.Log(v)
	}
	return v
}

// value returns the value at a coordinate, between the bounds.
func (p *Parameter) value(c float64) float64 {
	if p.Positive {
		c = math.Exp(c)
	}
	return min(max(c, p.Lower), p.Upper)
}

// Space is a family of kernels with free parameters. Build returns the kernel of given
// values, in the order of Parameters, or an error where there is none.
type Space[T any] struct {
	Parameters []Parameter
	Build      func(values []float64) (kernel.Kernel[T], error)
	// Features, where it is not nil, gives explicit features Φ of the points, K ≈ ΦΦᵀ, in which
	// the search then is. It is asked once for each kernel that is tried.
	Features Featuring[T]
}

// Featuring gives explicit features of points for a kernel, by landmarks or at random; nil
// weights are ones.
type Featuring[T any] func(ctx context.Context, k kernel.Kernel[T], xs data.Set[T], weights []float64) (*gram.Features, error)

// freeRange is the range, as a factor either way, of a positive parameter without
// bounds.
const freeRange = 1e3

// NewParameter returns a parameter with the usual bounds: a factor of 1000 either way
// of a positive start, ±1000·max(1, |start|) otherwise.
func NewParameter(name string, start float64, positive bool) Parameter {
	if positive {
		return Parameter{Name: name, Start: start, Lower: start / freeRange, Upper: start * freeRange, Positive: true}
	}
	reach := freeRange * math.Max(1, math.Abs(start))
	return Parameter{Name: name, Start: start, Lower: start - reach, Upper: start + reach}
}

// Of returns the space of all parameters of a kernel, from their present values.
func Of[T any](k kernel.Tunable[T]) Space[T] {
	s := Space[T]{Build: k.With}
	for _, p := range k.Parameters() {
		s.Parameters = append(s.Parameters, NewParameter(p.Name, p.Value, p.Positive))
	}
	return s
}

// check reports every parameter whose start and bounds make no sense.
func (s *Space[T]) check() error {
	var problems []error
	if s.Build == nil {
		problems = append(problems, errors.New("tune: the space of kernels has no Build"))
	}
	for _, p := range s.Parameters {
		if !(p.Lower <= p.Start && p.Start <= p.Upper) || math.IsInf(p.Lower, 0) || math.IsInf(p.Upper, 0) || p.Positive && p.Lower <= 0 {
			problems = append(problems, fmt.Errorf("tune: parameter %s starts at %v between %v and %v: bounds must be finite, enclose the start, and be positive where the parameter is", p.Name, p.Start, p.Lower, p.Upper))
		}
	}
	return errors.Join(problems...)
}

// starts returns the starting values.
func (s *Space[T]) starts() []float64 {
	v := make([]float64, len(s.Parameters))
	for i, p := range s.Parameters {
		v[i] = p.Start
	}
	return v
}
