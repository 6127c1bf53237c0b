package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
)

// Trial is one evaluation of the criterion.
type Trial struct {
	Values []float64 `json:"values"` // of the parameters
	Lambda float64   `json:"lambda"`
	// Score is the criterion: the mean squared error of [LOO], the number itself of
	// [GCV] and [Evidence] (negative log likelihood), the score of [CV].
	Score  float64 `json:"score"`
	Failed string  `json:"failed,omitempty"` // why there is no score
}

// Result is the best that a search has found, and all that it has tried, in order.
type Result[T any] struct {
	Kernel     kernel.Kernel[T] `json:"-"`
	Expression string           `json:"kernel"` // Kernel as text
	Parameters []Parameter      `json:"parameters"`
	Values     []float64        `json:"values"`
	Lambda     float64          `json:"lambda"`
	Ridge      float64          `json:"ridge"` // Nλ on all rows
	Criterion  Criterion        `json:"criterion"`
	Method     Method           `json:"method"`
	Score      float64          `json:"score"`
	// Point has everything krr knows at the optimum, on all rows of positive weight; nil
	// for [CV].
	Point    *krr.Point `json:"point,omitempty"`
	Trials   []Trial    `json:"trials"`
	Warnings []string   `json:"warnings,omitempty"`
	Seconds  float64    `json:"seconds"`
}

// KRR searches the kernel of a space and the λ that minimise a criterion for kernel
// ridge regression of y (n×m) on xs. Rows of weight zero are left aside.
//
// Without parameters only λ is searched, along one path. Cost: about 2n³
// multiplications for an evaluation by [Gradient], of which it takes some 10 to 30 for
// a few parameters; an eigendecomposition for each kernel that [Grid] and [Random] try,
// about four times that. 3·8n² bytes for Gradient and 6·8n² for the others, and 8n² more
// where kernels can share stored statistics; a limit to the memory below that is
// refused with a [*compute.TooLarge] error. In explicit features, D of them (Space.Features), there
// is no gradient; an evaluation takes 3nD² flops and 5D³, two matrices of 8nD bytes and five of
// 8D², and a λ 2nD flops. With a checkpoint in o.Fit.Compute every kernel, with all of its λ, is a
// step of it, and so is every evaluation of a gradient.
func KRR[T any](ctx context.Context, space Space[T], xs data.Set[T], y *mat.Dense, o Options) (*Result[T], error) {
	began := time.Now()
	s, err := newSearch(ctx, space, xs, y, o)
	if err != nil {
		return nil, err
	}
	switch {
	case len(space.Parameters) == 0 && s.o.Method != Grid:
		s.budget = 1
		err = s.tryKernel(ctx, nil)
	case s.o.Method == Gradient:
		err = s.descend(ctx)
	case s.o.Method == Grid:
		err = s.grid(ctx)
	default:
		err = s.random(ctx)
	}
	if err != nil {
		return nil, err
	}
	r, err := s.result(ctx)
	if err != nil {
		return nil, err
	}
	r.Seconds = time.Since(began).Seconds()
	return r, nil
}

// search is the state of one search.
type search[T any] struct {
	space  Space[T]
	xs     data.Set[T]
	y      *mat.Dense
	o      Options
	total  float64 // N = Σ wᵢ
	shared kernel.Reusable[T]
	k      *mat.SymDense // the Gram matrix of the last kernel; nil: the search is in features
	phi    *mat.Dense    // the features of the last kernel
	trials []Trial
	best   int             // index in trials, −1: none yet
	budget int             // evaluations that are expected, for progress
	kept   compute.Options // the checkpoint alone
	report func(stage string, done, total int64)
}

func newSearch[T any](ctx context.Context, space Space[T], xs data.Set[T], y *mat.Dense, o Options) (*search[T], error) {
	n := xs.Len()
	o, err := o.withDefaults(n, len(space.Parameters))
	c := model.NewChecks("tune")
	c.Weights(n, o.Fit.Weights)
	problems := []error{err, space.check(), c.Err()}
	if y == nil || y.IsEmpty() || y.RawMatrix().Rows != n {
		problems = append(problems, fmt.Errorf("tune: %d points need a row of targets each", n))
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
	s := &search[T]{space: space, xs: xs, y: y, o: o, best: -1, report: o.Fit.Compute.Progress}
	s.o.Fit.Compute.Progress = nil                                                // the search reports, not the parts of each trial
	s.kept.Checkpoint, s.o.Fit.Compute.Checkpoint = o.Fit.Compute.Checkpoint, nil // which are no steps
	if o.Criterion != CV {
		s.dropWeightless()
	}
	for i := range s.xs.Len() {
		s.total += s.weight(i)
	}
	if err := s.chooseMethod(k); err != nil {
		return nil, err
	}
	if space.Features != nil {
		s.setLambda(kernel.Bind(k, s.xs, s.xs))
		return s, nil
	}
	if err := s.admit(); err != nil {
		return nil, err
	}
	if s.shared, err = kernel.BindReusable(ctx, k, s.xs, s.spare(), s.o.Fit.Compute.Store); err != nil {
		return nil, err
	}
	s.k = mat.NewSymDense(s.xs.Len(), nil)
	s.setLambda(s.shared)
	return s, nil
}

// dropWeightless leaves aside the rows of weight zero, which no criterion sees.
func (s *search[T]) dropWeightless() {
	var keep []int
	for i := range s.xs.Len() {
		if s.weight(i) != 0 {
			keep = append(keep, i)
		}
	}
	if len(keep) < s.xs.Len() {
		s.xs, s.y, s.o.Fit.Weights = data.Subset(s.xs, keep), rowsOf(s.y, keep), pick(s.o.Fit.Weights, keep)
	}
}

func (s *search[T]) weight(i int) float64 {
	if s.o.Fit.Weights == nil {
		return 1
	}
	return s.o.Fit.Weights[i]
}

// setLambda fills in the default range of λ, which goes with the size of the kernel.
func (s *search[T]) setLambda(p kernel.Pairs) {
	if s.o.Lambda.Upper != 0 {
		return
	}
	diag, mean := make([]float64, s.xs.Len()), 0.0
	kernel.Diag(p, diag)
	for _, v := range diag {
		mean += v / float64(len(diag))
	}
	of := RangeFor(mean)
	s.o.Lambda.Lower, s.o.Lambda.Upper = of.Lower, of.Upper
	if start := s.o.Lambda.Start; start > 0 {
		s.o.Lambda.Lower, s.o.Lambda.Upper = min(s.o.Lambda.Lower, start), max(s.o.Lambda.Upper, start)
	}
}

// chooseMethod resolves [Auto] for the kernels of the space, of which k is one, and
// refuses to descend without a gradient.
func (s *search[T]) chooseMethod(k kernel.Kernel[T]) error {
	_, smooth := k.(kernel.Differentiable[T])
	if smooth = smooth && s.space.Features == nil; s.space.Features != nil && s.o.Method == Gradient {
		return fmt.Errorf("tune: landmarks and random features change with the kernel by jumps, and have no gradient: use method %q or %q", Grid, Random)
	}
	if s.o.Method == Gradient && !smooth && len(s.space.Parameters) > 0 {
		return fmt.Errorf("tune: kernel %s has no gradient: use method %q or %q", k, Grid, Random)
	}
	s.o.Method = s.o.methodFor(len(s.space.Parameters), smooth)
	return nil
}

// need is what a search holds, in bytes. Beside the Gram matrix a descent holds an
// inverse and a gradient of its size, a path a copy of it and the four squares of a
// decomposition.
func (s *search[T]) need() int64 {
	squares, n := int64(6), int64(s.xs.Len())
	if s.o.Method == Gradient {
		squares = 3
	}
	return squares * 8 * n * n
}

// admit refuses a search that would hold more than it may. Shared statistics take what
// is left of the limit.
func (s *search[T]) admit() error {
	limit := s.o.Fit.Compute.MaxMemory
	if limit == 0 || s.need() <= limit {
		return nil
	}
	return &compute.TooLarge{What: fmt.Sprintf("tuning by %s on %d rows", s.o.Method, s.xs.Len()), Need: s.need(), Limit: limit}
}

// spare is what shared statistics may take, in bytes; 0 is no limit.
func (s *search[T]) spare() int64 {
	if s.o.Fit.Compute.MaxMemory == 0 {
		return 0
	}
	return max(1, s.o.Fit.Compute.MaxMemory-s.need())
}

// gramOf computes the Gram matrix of a kernel into s.k.
func (s *search[T]) gramOf(ctx context.Context, k kernel.Kernel[T]) error {
	pairs, _ := s.shared.Reuse(k)
	return gram.Fill(ctx, s.k, pairs, s.o.Fit.Compute)
}

// add records a trial and tells the progress. The first of equal trials stays best.
func (s *search[T]) add(t Trial) {
	if math.IsNaN(t.Score) || math.IsInf(t.Score, 0) {
		t.Score, t.Failed = 0, fmt.Sprintf("the criterion is %v", t.Score)
	}
	s.trials = append(s.trials, t)
	if t.Failed == "" && (s.best < 0 || s.loss(t.Score) < s.loss(s.trials[s.best].Score)) {
		s.best = len(s.trials) - 1
	}
	if s.report != nil {
		s.report("tune", int64(len(s.trials)), int64(max(s.budget, len(s.trials))))
	}
}

// loss is the score with the sign with which it is minimised. NaN is worst.
func (s *search[T]) loss(score float64) float64 {
	switch {
	case math.IsNaN(score):
		return math.Inf(1)
	case s.o.Criterion == CV && s.o.Score.LargerIsBetter():
		return -score
	}
	return score
}

// result evaluates the best trial once more for the result.
func (s *search[T]) result(ctx context.Context) (*Result[T], error) {
	if s.best < 0 {
		return nil, fmt.Errorf("tune: none of %d trials has a score; the last one: %s", len(s.trials), s.trials[len(s.trials)-1].Failed)
	}
	t := s.trials[s.best]
	k, err := s.space.Build(t.Values)
	if err != nil {
		return nil, err
	}
	r := &Result[T]{
		Kernel: k, Expression: k.String(), Parameters: s.space.Parameters, Values: t.Values,
		Lambda: t.Lambda, Ridge: t.Lambda * s.total, Criterion: s.o.Criterion, Method: s.o.Method,
		Score: t.Score, Trials: s.trials, Warnings: s.atBounds(t),
	}
	if s.o.Criterion == CV {
		return r, nil
	}
	if s.space.Features != nil {
		path, err := s.featured(ctx, k)
		if err != nil {
			return nil, err
		}
		r.Point, err = path.At(ctx, r.Lambda)
		return r, err
	}
	if err := s.gramOf(ctx, k); err != nil {
		return nil, err
	}
	r.Point, err = krr.PointAt(ctx, s.k, s.y, r.Ridge, s.o.Fit)
	return r, err
}

// atBounds warns of an optimum that lies on the edge of what was searched.
func (s *search[T]) atBounds(t Trial) []string {
	var out []string
	r := s.o.Lambda
	if _, edge := r.Edge(t.Lambda); edge {
		out = append(out, fmt.Sprintf("λ = %.3g lies at the edge of its range, %.3g to %.3g", t.Lambda, r.Lower, r.Upper))
	}
	for i, p := range s.space.Parameters {
		if v := t.Values[i]; near(v, p.Lower) || near(v, p.Upper) {
			out = append(out, fmt.Sprintf("%s = %.3g lies at the edge of its range, %.3g to %.3g", p.Name, v, p.Lower, p.Upper))
		}
	}
	return out
}

// rowsOf gathers rows of a matrix.
func rowsOf(y *mat.Dense, rows []int) *mat.Dense {
	_, m := y.Dims()
	out := mat.NewDense(len(rows), m, nil)
	for i, r := range rows {
		out.SetRow(i, y.RawRowView(r))
	}
	return out
}

// pick gathers weights; nil stays nil.
func pick(weights []float64, rows []int) []float64 {
	if weights == nil {
		return nil
	}
	out := make([]float64, len(rows))
	for i, r := range rows {
		out[i] = weights[r]
	}
	return out
}
