package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
)

// Learner is a method as cross-validation sees it: it learns in index space.
type Learner interface {
	// Learn learns on the given rows from their Gram matrix, once for each set of
	// values of the method's own parameters, so that one solution may start where the
	// last one ended. A set of values that cannot be learned with has a nil function,
	// and an error in its place.
	Learn(ctx context.Context, k gram.Operator, rows []int, values [][]float64) (functions []*Function, failed []error, err error)
}

// PointLearner is a [Learner] that takes the points themselves, because it makes do with
// few of their kernel values. A search with it has no Gram matrix.
type PointLearner[T any] interface {
	// On prepares what all splits share of a kernel, such as explicit features.
	On(ctx context.Context, k kernel.Kernel[T]) (Folds, error)
}

// Folds learns with one kernel.
type Folds interface {
	// LearnFold learns on some rows, once for each set of values, and returns the outputs on
	// others. Errors are those of Learn.
	LearnFold(ctx context.Context, train, test []int, values [][]float64) (outcomes []*Outcome, failed []error, err error)
}

// Outcome is what was learned from some rows says of others.
type Outcome struct {
	Outputs *mat.Dense // test rows × outputs
	Tag     any        // what the judge must know of it: handed on as it is
}

// Function is f(x) = b + Σ αᵢ k(x, xᵢ) over the rows it was learned on.
type Function struct {
	Coef *mat.Dense // rows × outputs
	Bias []float64  // of every output; nil: 0
	Tag  any        // what the judge must know of it: handed on as it is
	// Link, if not nil, makes the outputs of the values f(x) at some points, whose kernel
	// values against the rows are the rows of cross, and whose own k(x, x) are prior.
	Link func(ctx context.Context, values, cross *mat.Dense, prior []float64) (*mat.Dense, error)
}

// Judge says how well outputs on test rows are.
type Judge struct {
	Name   string
	Larger bool // whether more is better
	Of     func(test []int, outputs *mat.Dense, tag any) (float64, error)
}

// CrossOptions say how to search by cross-validation. Splits and Judge are needed.
type CrossOptions struct {
	Splits []Split
	Judge  Judge
	// Strategy is how the search moves; "" is [Grid].
	Strategy Method
	// Trials is for Grid the number of values of each parameter of the kernel (0: 7,
	// powers of 2 around the start); for Random, Halving and Bayes the number of
	// candidates (0: 40).
	Trials  int
	Seed    uint64
	Compute compute.Options
	// Journal keeps the trials, so that a search that was stopped goes on where it was;
	// nil: it starts anew.
	Journal *Journal
}

// CrossTrial is one candidate and its scores.
type CrossTrial struct {
	Values []float64 `json:"values"` // of the kernel's parameters, then the method's
	// Score is the mean over the splits, Error its standard error.
	Score float64 `json:"score"`
	Error float64 `json:"error"`
	// Share of the training rows that were used, less than 1 in the first rounds of
	// [Halving].
	Share  float64 `json:"share"`
	Failed string  `json:"failed,omitempty"` // why there is no score
}

// CrossResult is the best that a search has found, and all that it has tried, in order.
type CrossResult[T any] struct {
	Kernel     kernel.Kernel[T] `json:"-"`
	Expression string           `json:"kernel"`
	Parameters []Parameter      `json:"parameters"` // of the kernel, then of the method
	Best       CrossTrial       `json:"best"`
	Score      string           `json:"score"` // what the scores are
	Larger     bool             `json:"larger_is_better"`
	Strategy   Method           `json:"strategy"`
	Trials     []CrossTrial     `json:"trials"`
	Resumed    int              `json:"resumed,omitempty"` // trials that a journal knew
	Warnings   []string         `json:"warnings,omitempty"`
	Seconds    float64          `json:"seconds"`
}

// Cross searches the parameters of a kernel and of a method for the best mean score on
// the test rows of splits. For every kernel one Gram matrix serves all splits and all
// values of the method's parameters, and what kernels on the same points share is
// computed once. A [PointLearner] learns from the points instead.
//
// Cost: a Gram matrix per kernel, and a solution per kernel, split and set of values.
// Memory: 8n² bytes for the matrix, as much again where kernels share statistics, and
// what the learner takes for the training rows of one split. A candidate that cannot
// be learned with has no score and the reason; if none can, that is an error.
func Cross[T any](ctx context.Context, space Space[T], method []Axis, learner Learner, xs data.Set[T], o CrossOptions) (*CrossResult[T], error) {
	began := time.Now()
	c, err := newCross(ctx, space, method, learner, xs, o)
	if err != nil {
		return nil, err
	}
	strategy := map[Method]func(context.Context) error{Grid: c.grid, Random: c.random, Halving: c.halving, Bayes: c.bayes}[c.o.Strategy]
	if err := strategy(ctx); err != nil {
		return nil, err
	}
	if c.best < 0 {
		last := c.trials[len(c.trials)-1]
		return nil, fmt.Errorf("tune: none of %d candidates has a score; the last one: %s", len(c.trials), last.Failed)
	}
	r := &CrossResult[T]{Parameters: append(c.space.Parameters, parametersOf(method)...), Best: c.trials[c.best], Score: o.Judge.Name, Larger: o.Judge.Larger,
		Strategy: c.o.Strategy, Trials: c.trials, Resumed: c.resumed, Seconds: time.Since(began).Seconds()}
	if r.Kernel, err = space.Build(r.Best.Values[:len(space.Parameters)]); err != nil {
		return nil, err
	}
	r.Expression, r.Warnings = r.Kernel.String(), c.atEdges(r.Parameters, r.Best)
	return r, nil
}

// cross is the state of one search.
type cross[T any] struct {
	space   Space[T]
	method  []Axis
	learner Learner
	xs      data.Set[T]
	o       CrossOptions
	points  PointLearner[T] // nil: learner, on the Gram matrix
	shared  kernel.Reusable[T]
	k       *mat.SymDense // the Gram matrix of the kernel of values at
	folds   Folds         // of points, with that kernel
	at      []float64
	trials  []CrossTrial
	best    int // index in trials, −1: none yet
	budget  int // trials that are expected, for progress
	resumed int
}

func newCross[T any](ctx context.Context, space Space[T], method []Axis, learner Learner, xs data.Set[T], o CrossOptions) (*cross[T], error) {
	n, problems := xs.Len(), []error{space.check()}
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("tune: "+format, args...)) }
	if o.Strategy == "" || o.Strategy == Auto {
		o.Strategy = Grid
	}
	switch o.Strategy {
	case Grid, Random, Halving, Bayes:
	default:
		add("cross-validation cannot search by %q; it can by %q", o.Strategy, []Method{Grid, Random, Halving, Bayes})
	}
	if o.Judge.Of == nil {
		add("cross-validation needs a score")
	}
	if len(o.Splits) == 0 {
		add("cross-validation needs splits: give a file of splits or a number of folds")
	} else if err := checkSplits(o.Splits, n); err != nil {
		problems = append(problems, err)
	}
	if o.Trials < 0 {
		add("%d trials: there must be at least one, or 0 for the default", o.Trials)
	}
	for _, a := range method {
		if err := a.check(); err != nil {
			problems = append(problems, err)
		}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	k, err := space.Build(space.starts())
	if err != nil {
		return nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	c := &cross[T]{space: space, method: method, learner: learner, xs: xs, o: o, best: -1}
	if points, ok := learner.(PointLearner[T]); ok {
		c.points = points
		return c, nil
	}
	need, limit := 2*8*int64(n)*int64(n), o.Compute.MaxMemory
	if limit > 0 && need > limit {
		return nil, &compute.TooLarge{What: fmt.Sprintf("cross-validation on %d rows", n), Need: need, Limit: limit}
	}
	spare := int64(0)
	if limit > 0 {
		spare = max(1, limit-need)
	}
	if c.shared, err = kernel.BindReusable(ctx, k, xs, spare, o.Compute.Store); err != nil {
		return nil, err
	}
	c.k = mat.NewSymDense(n, nil)
	return c, nil
}

// candidate is what is to be tried: a kernel, and all sets of values of the method that
// are tried with it.
type candidate struct {
	kernel []float64
	method [][]float64
	share  float64 // of the training rows
}

// try adds a trial for every set of values of a candidate, from the journal where it
// knows them all.
func (c *cross[T]) try(ctx context.Context, x candidate) error {
	trials := make([]CrossTrial, len(x.method))
	known := 0
	for i, values := range x.method {
		trials[i] = CrossTrial{Values: append(append([]float64{}, x.kernel...), values...), Share: x.share}
		if c.o.Journal.find(&trials[i]) {
			known++
		}
	}
	c.resumed += known
	if known < len(trials) {
		c.resumed -= known // one path learns them together
		if err := c.score(ctx, x, trials); err != nil {
			return err
		}
		if err := c.o.Journal.add(trials); err != nil {
			return err
		}
	}
	for _, t := range trials {
		c.add(t)
	}
	return nil
}

// score fills in the scores of the trials of one kernel.
func (c *cross[T]) score(ctx context.Context, x candidate, trials []CrossTrial) error {
	k, err := c.space.Build(x.kernel)
	if err == nil {
		err = c.prepare(ctx, k, x.kernel)
	}
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range trials {
			trials[i].Failed = err.Error()
		}
		return nil
	}
	scores := make([][]float64, len(trials))
	for f, split := range c.o.Splits {
		outcomes, failed, err := c.learn(ctx, Share(split.Train, x.share), split.Test, x.method)
		if err != nil {
			return err
		}
		for i, found := range outcomes {
			v, err := c.judge(found, failed[i], split.Test)
			if err != nil && trials[i].Failed == "" {
				trials[i].Failed = fmt.Sprintf("split %d: %v", f+1, err)
			}
			scores[i] = append(scores[i], v)
		}
	}
	for i := range trials {
		if trials[i].Failed == "" {
			trials[i].Score, trials[i].Error = MeanAndError(scores[i])
		}
	}
	return nil
}

// learn learns on some rows and returns the outputs on others, for every set of values.
func (c *cross[T]) learn(ctx context.Context, train, test []int, values [][]float64) ([]*Outcome, []error, error) {
	if c.folds != nil {
		return c.folds.LearnFold(ctx, train, test, values)
	}
	functions, failed, err := c.learner.Learn(ctx, restricted(c.k, train, c.quiet()), train, values)
	if err != nil {
		return nil, nil, err
	}
	cross, prior := block(c.k, test, train), diagonal(c.k, test)
	outcomes := make([]*Outcome, len(functions))
	for i, g := range functions {
		if g == nil {
			continue
		}
		outputs, err := g.at(ctx, cross, prior, c.o.Compute.Workers)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if failed[i] = err; err == nil {
			outcomes[i] = &Outcome{outputs, g.Tag}
		}
	}
	return outcomes, failed, nil
}

// judge scores outputs, or returns why there are none.
func (c *cross[T]) judge(found *Outcome, failed error, test []int) (float64, error) {
	if found == nil {
		return 0, failed
	}
	v, err := c.o.Judge.Of(test, found.Outputs, found.Tag)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = fmt.Errorf("the score is %v", v)
	}
	return v, err
}

// quiet returns the computing options without progress: the search reports.
func (c *cross[T]) quiet() compute.Options {
	o := c.o.Compute
	o.Progress = nil
	return o
}

// prepare computes the Gram matrix of the kernel of some values, or what a [PointLearner]
// shares among the splits, unless it is there.
func (c *cross[T]) prepare(ctx context.Context, k kernel.Kernel[T], values []float64) error {
	if c.at != nil && equal(c.at, values) {
		return nil
	}
	c.at, c.folds = nil, nil
	var err error
	if c.points != nil {
		c.folds, err = c.points.On(ctx, k)
	} else {
		pairs, _ := c.shared.Reuse(k)
		err = gram.Fill(ctx, c.k, pairs, c.quiet())
	}
	if err == nil {
		c.at = append([]float64{}, values...)
	}
	return err
}

func equal(a, b []float64) bool {
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

// at returns the outputs for rows of which cross holds the kernel values against the
// rows that f stands on, and prior those of the rows with themselves.
func (f *Function) at(ctx context.Context, cross *mat.Dense, prior []float64, workers int) (*mat.Dense, error) {
	rows, _ := cross.Dims()
	_, m := f.Coef.Dims()
	out := mat.NewDense(rows, m, nil)
	level3.Implementation{Workers: workers}.Gemm(blas.NoTrans, blas.NoTrans, 1, cross.RawMatrix(), f.Coef.RawMatrix(), 0, out.RawMatrix())
	for i := range rows {
		for j, b := range f.Bias {
			out.Set(i, j, out.At(i, j)+b)
		}
	}
	if f.Link != nil {
		return f.Link(ctx, out, cross, prior)
	}
	return out, nil
}

// diagonal gathers elements of the diagonal.
func diagonal(k *mat.SymDense, rows []int) []float64 {
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = k.At(r, r)
	}
	return out
}

// add records a trial. The best is the first of the best scores among those on the
// largest share of the rows.
func (c *cross[T]) add(t CrossTrial) {
	c.trials = append(c.trials, t)
	if t.Failed == "" && (c.best < 0 || c.better(t, c.trials[c.best])) {
		c.best = len(c.trials) - 1
	}
	if report := c.o.Compute.Progress; report != nil {
		report("tune", int64(len(c.trials)), int64(max(c.budget, len(c.trials))))
	}
}

// better reports whether a is to be preferred to b.
func (c *cross[T]) better(a, b CrossTrial) bool {
	switch {
	case a.Share != b.Share:
		return a.Share > b.Share
	case c.o.Judge.Larger:
		return a.Score > b.Score
	}
	return a.Score < b.Score
}

// Share returns the first part of the rows in an order that does not depend on the
// share, so that smaller parts are parts of larger ones; all of them for 1.
func Share(rows []int, part float64) []int {
	if part >= 1 {
		return rows
	}
	return spread(rows, max(2, int(part*float64(len(rows))+0.5)))
}

// spread returns count of the rows, equally spaced, in ascending order.
func spread(rows []int, count int) []int {
	if count >= len(rows) {
		return rows
	}
	out := make([]int, count)
	for i := range out {
		out[i] = rows[i*len(rows)/count]
	}
	return out
}

// MeanAndError returns the mean of the scores of the splits and its standard error.
func MeanAndError(scores []float64) (mean, err float64) {
	n := float64(len(scores))
	for _, s := range scores {
		mean += s / n
	}
	if n < 2 {
		return mean, 0
	}
	variance := 0.0
	for _, s := range scores {
		variance += (s - mean) * (s - mean)
	}
	return mean, math.Sqrt(variance / (n - 1) / n)
}

// atEdges warns of an optimum on the edge of what was searched.
func (c *cross[T]) atEdges(parameters []Parameter, best CrossTrial) []string {
	var out []string
	for i, p := range parameters {
		if v := best.Values[i]; p.Lower < p.Upper && (v == p.Lower || v == p.Upper) {
			out = append(out, fmt.Sprintf("%s = %.3g lies at the edge of what was searched, %.3g to %.3g", p.Name, v, p.Lower, p.Upper))
		}
	}
	return out
}
