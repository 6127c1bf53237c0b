package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/krr"
)

// Trial is one point of a search and its score.
type Trial struct {
	Values []float64 `json:"values"` // of the kernel's parameters, then the method's, λ last
	// Score is that of the criterion: of cross-validation the mean over the splits, and Error
	// its standard error.
	Score float64 `json:"score"`
	Error float64 `json:"error"`
	// Share of the training rows that were used, less than 1 in the first rounds of
	// [Halving].
	Share  float64 `json:"share"`
	Failed string  `json:"failed,omitempty"` // why there is no score
}

// Result is the best that a search has found, and all that it has tried, in order.
type Result[T any] struct {
	Kernel     kernel.Kernel[T]
	Parameters []Parameter // of the kernel, then of the method, λ last
	Best       Trial
	Scale      Scale // what the scores are
	Strategy   Strategy
	// Point has everything krr knows at the optimum of a [ClosedForm], on all rows of positive
	// weight; else nil.
	Point    *krr.Point
	Trials   []Trial
	Tie      *Tie // nil: no other trial was as good
	Resumed  int  // trials that a journal knew
	Warnings []string
	Seconds  float64
}

// Search finds the kernel of a space and the values of a method that have the best score by a
// criterion on the points xs.
//
// Cost: a Gram matrix per kernel, and what the criterion takes for each set of values. Memory:
// the n×n matrices of [Scale.Squares], 8n² bytes each, and 8n² more where kernels can share
// stored statistics; a limit below that is refused with a [*compute.TooLarge] error. [Gradient]
// takes about 2n³ multiplications for an evaluation, of which there are some 10 to 30 for a few
// parameters. A point that cannot be scored is a trial with the reason; if none can, that is an
// error.
func Search[T any](ctx context.Context, space Space[T], xs data.Set[T], c Criterion[T], o Options) (*Result[T], error) {
	began := time.Now()
	s, err := newSearch(ctx, space, xs, c, o)
	if err != nil {
		return nil, err
	}
	if len(space.Parameters) == 0 && s.space.Lambda != nil && s.o.Strategy != Grid && s.o.Strategy != Compass {
		s.budget = 1
		err = s.tryPath(ctx, nil)
	} else {
		err = map[Strategy]func(context.Context) error{Gradient: s.descend, Grid: s.grid, Random: s.random, Halving: s.halving, Bayes: s.bayes, Compass: s.compass}[s.o.Strategy](ctx)
	}
	if err != nil {
		return nil, err
	}
	r, err := s.result(ctx)
	if err != nil {
		return nil, err
	}
	s.told.Done()
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// search is the state of one search.
type search[T any] struct {
	space     Space[T] // with its own range of λ
	xs        data.Set[T]
	criterion Criterion[T]
	closed    closedForm[T] // the same; nil: it has none
	scale     Scale
	o         Options
	steps     compute.Options // the checkpoint alone
	shared    kernel.Reusable[T]
	k         *mat.SymDense // the Gram matrix of the last kernel; nil: there is none
	at        []float64     // the values of the last kernel; nil: none
	scorer    Scorer        // on that kernel
	trials    []Trial
	best      int // index in trials, −1: none yet
	budget    int // trials that are expected, for progress
	resumed   int
	report    func(stage string, done, total int64)
	told      *compute.Meter // of all trials; nil: none has begun, or nobody listens
	pending   int            // trials that are being scored together
}

// trialUnits is how many units of progress a trial has, for the parts of its score.
const trialUnits = 1000

// begin tells of the search as a whole, once it is known how many trials it has.
func (s *search[T]) begin() {
	if s.told == nil {
		s.told = compute.Options{Progress: s.report}.Meter("tune", trialUnits*int64(max(1, s.budget)))
	}
}

// scoring tells how much of the trials that are scored together is done.
func (s *search[T]) scoring(done, parts int) {
	if s.told != nil && s.pending > 0 {
		s.told.Reach(trialUnits*int64(len(s.trials)) + trialUnits*int64(s.pending)*int64(done)/int64(parts))
	}
}

func newSearch[T any](ctx context.Context, space Space[T], xs data.Set[T], c Criterion[T], o Options) (*search[T], error) {
	o, err := o.check(&space.Free)
	scale, cannot := c.Scale(xs.Len())
	if err := errors.Join(err, space.check(), cannot); err != nil {
		return nil, err
	}
	k, err := space.Build(space.starts())
	if err != nil {
		return nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, fmt.Errorf("tune: %w", err)
	}
	s := &search[T]{space: space, xs: xs, criterion: c, scale: scale, o: o, best: -1, report: o.Compute.Progress}
	s.o.Compute.Progress = nil                                             // the search reports, and of the parts of each trial its Gram matrix
	s.steps.Checkpoint, s.o.Compute.Checkpoint = o.Compute.Checkpoint, nil // which are no steps
	if s.closed, _ = c.(closedForm[T]); s.closed != nil {
		if o.Simplest {
			return nil, errNoStandardError
		}
		if rows := s.closed.counted(); len(rows) < xs.Len() {
			s.xs, s.closed = data.Part(xs, rows), s.closed.part(rows)
			s.criterion = s.closed
		}
	}
	if err := s.chooseStrategy(k); err != nil {
		return nil, err
	}
	if scale.Squares == 0 {
		some := s.xs
		if _, apart := some.(data.Parted[T]); apart {
			some = data.Subset(some, data.Even(some.Len(), sampledRows))
		}
		s.setLambda(kernel.Bind(k, some, some))
		return s, nil
	}
	if err := s.admit(); err != nil {
		return nil, err
	}
	shared := o.Compute.Meter("distances", 1)
	if s.shared, err = kernel.BindReusable(ctx, k, s.xs, s.spare(), s.o.Compute.Store); err != nil {
		return nil, err
	}
	shared.Done()
	s.k = mat.NewSymDense(s.xs.Len(), nil)
	s.setLambda(s.shared)
	return s, nil
}

// sampledRows are so many of those that stay in a file as tell the size of a kernel.
const sampledRows = 1024

// setLambda fills in the default range of λ, which goes with the size of the kernel.
func (s *search[T]) setLambda(p kernel.Pairs) {
	if s.space.Lambda == nil {
		return
	}
	rows, _ := p.Dims()
	diag, mean := make([]float64, rows), 0.0
	kernel.Diag(p, diag)
	for _, v := range diag {
		mean += v / float64(len(diag))
	}
	r := s.space.Lambda.orDefault(mean)
	s.space.Lambda = &r
}

// chooseStrategy resolves [Auto] for the kernels of the space, of which k is one, and
// refuses to descend without a gradient.
func (s *search[T]) chooseStrategy(k kernel.Kernel[T]) error {
	none := errNoGradient
	if s.closed != nil {
		none = s.closed.smooth()
	}
	if _, ok := k.(kernel.Differentiable[T]); none == nil && !ok && len(s.space.Parameters) > 0 {
		none = fmt.Errorf("tune: kernel %s has no gradient: search by %q or %q", k, Grid, Random)
	}
	if s.o.Strategy == Gradient && none != nil {
		return none
	}
	s.o.Strategy = s.o.resolve(&s.space.Free, none == nil)
	return nil
}

// need is what a search holds, in bytes.
func (s *search[T]) need() int64 {
	squares, n := int64(s.scale.Squares), int64(s.xs.Len())
	if s.o.Strategy == Gradient {
		squares = gradientSquares
	}
	return squares * 8 * n * n
}

// admit refuses a search that would hold more than it may. Shared statistics take what
// is left of the limit.
func (s *search[T]) admit() error {
	limit := s.o.Compute.MaxMemory
	if limit == 0 || s.need() <= limit {
		return nil
	}
	return &compute.TooLarge{What: fmt.Sprintf("tuning by %s on %d rows", s.o.Strategy, s.xs.Len()), Need: s.need(), Limit: limit}
}

// spare is what shared statistics may take, in bytes; 0 is no limit.
func (s *search[T]) spare() int64 {
	if s.o.Compute.MaxMemory == 0 {
		return 0
	}
	return max(1, s.o.Compute.MaxMemory-s.need())
}

// bind returns a kernel on the points, with its Gram matrix where there is one.
func (s *search[T]) bind(ctx context.Context, k kernel.Kernel[T]) (Bound[T], error) {
	b := Bound[T]{Kernel: k, Points: s.xs, Gram: s.k, Told: s.scoring}
	if s.k == nil {
		return b, nil
	}
	s.at = nil
	pairs, _ := s.shared.Reuse(k)
	how := s.o.Compute
	how.Progress = s.report
	return b, gram.Fill(ctx, s.k, pairs, how)
}

// on returns the scorer of the kernel of some values, unless it is there.
func (s *search[T]) on(ctx context.Context, values []float64) (Scorer, error) {
	if s.at != nil && slices.Equal(s.at, values) {
		return s.scorer, nil
	}
	s.begin()
	s.at, s.scorer = nil, nil
	k, err := s.space.Build(values)
	if err != nil {
		return nil, err
	}
	b, err := s.bind(ctx, k)
	if err != nil {
		return nil, err
	}
	if s.scorer, err = s.criterion.On(ctx, b); err == nil {
		s.at = append([]float64{}, values...)
	}
	return s.scorer, err
}

// add records a trial and tells the progress. The first of equal trials stays best.
func (s *search[T]) add(t Trial) {
	s.trials = append(s.trials, t)
	if t.Failed == "" && (s.best < 0 || s.better(t, s.trials[s.best])) {
		s.best = len(s.trials) - 1
		if s.o.Found != nil {
			s.o.Found(t)
		}
	}
	s.begin()
	s.told.Reach(min(trialUnits*int64(len(s.trials)), trialUnits*int64(max(1, s.budget))-1))
}

// better reports whether a is to be preferred to b: on more rows, and then by its score.
func (s *search[T]) better(a, b Trial) bool {
	if a.Share != b.Share {
		return a.Share > b.Share
	}
	return s.scale.loss(a.Score) < s.scale.loss(b.Score)
}

// result returns the best trial, and what is known of it beside its score.
func (s *search[T]) result(ctx context.Context) (*Result[T], error) {
	if s.best < 0 {
		return nil, fmt.Errorf("tune: none of %d trials has a score; the last one: %s", len(s.trials), s.trials[len(s.trials)-1].Failed)
	}
	tie := s.simplest()
	t := s.trials[s.best]
	k, err := s.space.Build(t.Values[:len(s.space.Parameters)])
	if err != nil {
		return nil, err
	}
	r := &Result[T]{Kernel: k, Parameters: s.space.all(), Best: t, Scale: s.scale, Strategy: s.o.Strategy, Trials: s.trials, Tie: tie, Resumed: s.resumed}
	r.Warnings = s.atEdges(r.Parameters, t)
	if s.closed == nil {
		return r, nil
	}
	b, err := s.bind(ctx, k)
	if err != nil {
		return nil, err
	}
	r.Point, err = s.closed.point(ctx, b, t.Values[len(t.Values)-1])
	return r, err
}

// atEdges warns of an optimum that lies on the edge of what was searched. A path ends near its
// edge to the precision to which λ is found, other values lie on theirs.
func (s *search[T]) atEdges(parameters []Parameter, best Trial) []string {
	var out []string
	for i, p := range parameters {
		v, name, what := best.Values[i], p.Name, "what was searched"
		at := p.Lower < p.Upper && (v == p.Lower || v == p.Upper)
		if s.space.Lambda != nil {
			at, what = near(v, p.Lower) || near(v, p.Upper), "its range"
			if i == len(parameters)-1 {
				name = "λ"
			}
		}
		if at {
			out = append(out, fmt.Sprintf("%s = %.3g lies at the edge of %s, %.3g to %.3g", name, v, what, p.Lower, p.Upper))
		}
	}
	return out
}

// scored makes a trial of a score. What is no number is no score.
func scored(values []float64, share float64, found Scored) Trial {
	t := Trial{Values: values, Score: found.Value, Error: found.Error, Share: share}
	if failed := found.Failed; failed != nil {
		t.Score, t.Error, t.Failed = 0, 0, failed.Error()
	} else if math.IsNaN(found.Value) || math.IsInf(found.Value, 0) {
		t.Score, t.Error, t.Failed = 0, 0, fmt.Sprintf("the criterion is %v", found.Value)
	}
	return t
}
