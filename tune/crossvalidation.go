package tune

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg/level3"
)

// CrossValidation scores any method: the mean of a judge over the test rows of splits, of what
// was learned from their training rows.
type CrossValidation[T any] struct {
	Solver FoldSolver[T]
	Splits []Split
	Judge  Judge
}

// FoldSolver is a method as cross-validation sees it: it learns from some rows and predicts
// others. [OnGram] makes one of a [Solver].
type FoldSolver[T any] interface {
	// Squares is that of [Scale].
	Squares() int
	// On prepares what all splits share of a kernel, such as explicit features.
	On(ctx context.Context, b Bound[T]) (Folds, error)
}

// Folds learns with one kernel.
type Folds interface {
	// Fold prepares to learn from the training rows of a split.
	Fold(ctx context.Context, s Split) (Fold, error)
}

// Fold learns from the training rows of a split, once for each set of values, and returns the
// outputs on its test rows. A set that cannot be learned with has a nil outcome, and an error in
// its place.
type Fold func(ctx context.Context, values [][]float64) (outcomes []*Outcome, failed []error, err error)

// Outcome is what was learned from some rows says of others.
type Outcome struct {
	Outputs *mat.Dense // test rows × outputs
	Tag     any        // what the judge must know of it: handed on as it is
}

// Judge says how well outputs on test rows are.
type Judge struct {
	Name   string
	Larger bool // whether more is better
	Of     func(test []int, outputs *mat.Dense, tag any) (float64, error)
}

// Scale is that of the judge.
func (c CrossValidation[T]) Scale(n int) (Scale, error) {
	var problems []error
	scale := Scale{Name: c.Judge.Name, Larger: c.Judge.Larger, Errors: !c.Judge.Larger, Squares: c.Solver.Squares()}
	if c.Judge.Of == nil {
		problems = append(problems, errors.New("tune: cross-validation needs a score"))
	}
	if len(c.Splits) == 0 {
		problems = append(problems, errors.New("tune: cross-validation needs splits: give a file of splits or a number of folds"))
	} else if err := checkSplits(c.Splits, n); err != nil {
		problems = append(problems, err)
	} else {
		scale.Train = len(c.Splits[0].Train)
	}
	if r, ok := c.Solver.(interface{ check(n int) error }); ok {
		problems = append(problems, r.check(n))
	}
	return scale, errors.Join(problems...)
}

// On prepares the kernel for all splits.
func (c CrossValidation[T]) On(ctx context.Context, b Bound[T]) (Scorer, error) {
	folds, err := c.Solver.On(ctx, b)
	if err != nil {
		return nil, err
	}
	s := &foldScorer{splits: c.Splits, judge: c.Judge, folds: folds, told: b.Told}
	return s.scores, nil
}

// foldScorer scores one kernel on splits. What was prepared for a share of their training rows
// stays for further values.
type foldScorer struct {
	splits []Split
	judge  Judge
	folds  Folds
	share  float64
	ready  []Fold
	told   func(done, parts int)
}

func (s *foldScorer) scores(ctx context.Context, values [][]float64, share float64) ([]Scored, error) {
	if share != s.share {
		s.share, s.ready = share, make([]Fold, len(s.splits))
	}
	scores, out := make([][]float64, len(values)), make([]Scored, len(values))
	for f, split := range s.splits {
		outcomes, failed, err := s.learn(ctx, f, values)
		if err != nil {
			return nil, err
		}
		for i, found := range outcomes {
			v, err := s.judged(found, failed[i], split.Test)
			if err != nil && out[i].Failed == nil {
				out[i].Failed = fmt.Errorf("split %d: %w", f+1, err)
			}
			scores[i] = append(scores[i], v)
		}
		if s.told != nil {
			s.told(f+1, len(s.splits))
		}
	}
	for i := range out {
		if out[i].Value = math.NaN(); out[i].Failed == nil {
			out[i].Value, out[i].Error = MeanAndError(scores[i])
		}
	}
	return out, nil
}

// learn learns on a split with every set of values.
func (s *foldScorer) learn(ctx context.Context, f int, values [][]float64) ([]*Outcome, []error, error) {
	if s.ready[f] == nil {
		split := s.splits[f]
		fold, err := s.folds.Fold(ctx, Split{Train: Share(split.Train, s.share), Test: split.Test})
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			failed := make([]error, len(values))
			for i := range failed {
				failed[i] = err
			}
			return make([]*Outcome, len(values)), failed, nil
		}
		s.ready[f] = fold
	}
	return s.ready[f](ctx, values)
}

// judged scores outputs, or returns why there are none.
func (s *foldScorer) judged(found *Outcome, failed error, test []int) (float64, error) {
	if found == nil {
		return 0, failed
	}
	v, err := s.judge.Of(test, found.Outputs, found.Tag)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = fmt.Errorf("the score is %v", v)
	}
	return v, err
}

// Solver is a method in index space.
type Solver interface {
	// Solve learns on the given rows from their Gram matrix, once for each set of
	// values of the method's own parameters, so that one solution may start where the
	// last one ended. A set of values that cannot be learned with has a nil function,
	// and an error in its place.
	Solve(ctx context.Context, k gram.Operator, rows []int, values [][]float64) (functions []*Function, failed []error, err error)
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

// OnGram presents a method in index space to cross-validation: for every kernel one Gram matrix
// serves all splits and all values.
func OnGram[T any](s Solver, o compute.Options) FoldSolver[T] {
	o.Progress = nil // the search reports
	return onGram[T]{s, o}
}

type onGram[T any] struct {
	solver  Solver
	compute compute.Options
}

// Squares counts the Gram matrix and what a solution takes.
func (g onGram[T]) Squares() int { return 2 }

// On has the Gram matrix already.
func (g onGram[T]) On(_ context.Context, b Bound[T]) (Folds, error) {
	return gramFolds{g.solver, g.compute, b.Gram}, nil
}

type gramFolds struct {
	solver  Solver
	compute compute.Options
	k       *mat.SymDense
}

// Fold learns from the part of the Gram matrix that the training rows have.
func (g gramFolds) Fold(_ context.Context, s Split) (Fold, error) {
	return func(ctx context.Context, values [][]float64) ([]*Outcome, []error, error) {
		functions, failed, err := g.solver.Solve(ctx, restricted(g.k, s.Train, g.compute), s.Train, values)
		if err != nil {
			return nil, nil, err
		}
		cross, prior := block(g.k, s.Test, s.Train), diagonal(g.k, s.Test)
		outcomes := make([]*Outcome, len(functions))
		for i, f := range functions {
			if f == nil {
				continue
			}
			outputs, err := f.at(ctx, cross, prior, g.compute.Workers)
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if failed[i] = err; err == nil {
				outcomes[i] = &Outcome{outputs, f.Tag}
			}
		}
		return outcomes, failed, nil
	}, nil
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
