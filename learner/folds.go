package learner

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// foldSolver learns on some rows of a problem.
type foldSolver struct {
	p *task.Task
	m Tunable
}

// Solve solves for every set of values.
func (s foldSolver) Solve(ctx context.Context, k gram.Operator, rows []int, values [][]float64) ([]*tune.Function, []error, error) {
	part := s.p.Part(rows)
	functions, failed := make([]*tune.Function, len(values)), make([]error, len(values))
	if m, ok := s.m.(pathSolver); ok && len(values) > 1 {
		solutions, err := m.SolvePath(ctx, k, part, values)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil { // else each for itself: one may fail where others do not
			for i, found := range solutions {
				functions[i] = found.function()
			}
			return functions, failed, nil
		}
	}
	for i, v := range values {
		found, err := s.m.With(v).Solve(ctx, k, part)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			failed[i] = err
			continue
		}
		functions[i] = found.function()
	}
	return functions, failed, nil
}

// checkOutputs refuses outputs of too few labels.
func checkOutputs(found *Fitted, outputs *mat.Dense) error {
	if _, m := outputs.Dims(); m != len(found.Decision.Outputs) {
		return fmt.Errorf("learner: what was learned from these rows has %d outputs, and %d are needed: not all labels are among them; take fewer folds, or leave rare labels out", m, len(found.Decision.Outputs))
	}
	return nil
}

// valuesOf returns Φw + b for a function of the features.
func valuesOf(f task.Function, phi *mat.Dense, o compute.Options) (*mat.Dense, error) {
	fast := level3.Implementation{Workers: o.Workers}
	found, ok := task.VectorEncoding.FunctionOf(f)
	if !ok {
		return nil, fmt.Errorf("learner: a %s is no function of features: leave the landmarks or features out", f.Form())
	}
	var w *mat.Dense
	switch f := found.Predictor.(type) {
	case *model.Primal[[]float64]:
		w = f.W
	case *model.Expansion[[]float64]: // w = Σ αᵢφᵢ
		_, outputs := f.Coef.Dims()
		w = mat.NewDense(phi.RawMatrix().Cols, outputs, nil)
		for i := range f.Points.Len() {
			w.RankOne(w, 1, mat.NewVecDense(len(f.Points.At(i)), f.Points.At(i)), f.Coef.RowView(i))
		}
	default:
		return nil, fmt.Errorf("learner: a %T is no function of features: leave the landmarks or features out", f)
	}
	_, outputs := w.Dims()
	out := mat.NewDense(phi.RawMatrix().Rows, outputs, nil)
	fast.Gemm(blas.NoTrans, blas.NoTrans, 1, phi.RawMatrix(), w.RawMatrix(), 0, out.RawMatrix())
	out.Apply(func(_, j int, v float64) float64 { return v + found.Bias()[j] }, out)
	return out, nil
}

// onFeatures returns the problem with its rows replaced by their features: points of ℝᴰ with the
// linear kernel, on which methods find what they find with the kernel of the features.
func onFeatures(p *task.Task, phi *mat.Dense) (*task.Task, error) {
	n, dim := phi.Dims()
	points, err := data.NewVectors(n, dim, phi.RawMatrix().Data)
	if err != nil {
		return nil, err
	}
	q := *p
	q.Points = task.TypedPoints[[]float64]{Encoding: task.VectorEncoding, Kernel: vec.Linear{}, Set: points, Product: true}.Any()
	return &q, nil
}

// rowsAt gathers rows of a matrix.
func rowsAt(a *mat.Dense, rows []int) *mat.Dense {
	_, m := a.Dims()
	out := mat.NewDense(len(rows), m, nil)
	for i, r := range rows {
		copy(out.RawRowView(i), a.RawRowView(r))
	}
	return out
}

// FoldSolverOf returns a method as cross-validation sees it: in features that are wanted, on
// points, or in index space.
func FoldSolverOf[T any](p *task.Task, m Tunable, xs data.Set[T], by task.Approximation, o compute.Options) (tune.FoldSolver[T], error) {
	plain := foldSolver{p, m}
	own, chooses := m.(PointLearner)
	switch {
	case by.Wanted() && chooses:
		return nil, fmt.Errorf("learner: %s learns from the points themselves, or chooses landmarks itself: its own options say how many", m.Name())
	case by.Wanted():
		return featureSolver[T]{plain, xs, by, o}, by.Admit(p, o)
	case chooses && p.Indefinite == "":
		return pointSolver[T]{p, own, xs}, checkPasses(p, m)
	}
	return tune.OnGram[T](plain, o), nil
}

// PointLearner is a method that cross-validation gives points, and no Gram matrix: it chooses
// landmarks itself among the rows that it learns from, or learns the distance of its kernel.
type PointLearner interface {
	// FoldOnPoints learns from some rows of a task, whose points these are, at all values of the
	// parameters that a search varies, and evaluates on others.
	FoldOnPoints(ctx context.Context, p *task.Task, points task.Points, rows tune.Split, values [][]float64) ([]*tune.Outcome, []error, error)
}

// pointSolver cross-validates such a method on the points.
type pointSolver[T any] struct {
	p  *task.Task
	m  PointLearner
	xs data.Set[T]
}

// Squares is 0: no Gram matrix is held.
func (l pointSolver[T]) Squares() int { return 0 }

// On has nothing to prepare: all is learned from the rows of a split.
func (l pointSolver[T]) On(_ context.Context, b tune.Bound[T]) (tune.Folds, error) {
	return pointFolds{l.p, l.m, task.TypedPoints[T]{Kernel: b.Kernel, Set: l.xs}.Any()}, nil
}

// pointFolds are those of one kernel.
type pointFolds struct {
	p      *task.Task
	m      PointLearner
	points task.Points
}

// Fold learns from some rows and evaluates on others.
func (l pointFolds) Fold(_ context.Context, s tune.Split) (tune.Fold, error) {
	return func(ctx context.Context, values [][]float64) ([]*tune.Outcome, []error, error) {
		return l.m.FoldOnPoints(ctx, l.p, l.points, s, values)
	}, nil
}
