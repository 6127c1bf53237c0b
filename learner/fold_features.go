package learner

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// featureSolver cross-validates in explicit features, which all splits and all values of the
// method's parameters share: for each kernel 8nD bytes instead of 8n², or none where the rows stay
// in their file.
type featureSolver[T any] struct {
	foldSolver
	xs      data.Set[T]
	by      task.Approximation
	compute compute.Options
}

// Squares is 0: no Gram matrix is held.
func (l featureSolver[T]) Squares() int { return 0 }

// On computes the features of all rows, or what makes them in passes.
func (l featureSolver[T]) On(ctx context.Context, b tune.Bound[T]) (tune.Folds, error) {
	if l.p.Streamed() {
		return l.inPasses(ctx, any(b.Kernel).(kernel.Kernel[[]float64]))
	}
	features, err := task.Featuring[T](l.by, l.compute)(ctx, b.Kernel, l.xs, l.p.Rows.W)
	if err != nil {
		return nil, err
	}
	phi, err := features.All(ctx)
	if err != nil {
		return nil, err
	}
	p, err := onFeatures(l.p, phi)
	return featureFolds{foldSolver{p, l.m}, func(rows []int) values {
		tested := rowsAt(phi, rows)
		return func(_ context.Context, f task.Function) (*mat.Dense, error) { return valuesOf(f, tested, l.compute) }
	}}, err
}

// inPasses puts the kernel of features on rows that stay in their file.
func (l featureSolver[T]) inPasses(ctx context.Context, k kernel.Kernel[[]float64]) (tune.Folds, error) {
	quiet, q := l.compute, *l.p
	quiet.Progress = nil
	vectors, _ := task.VectorPoints(q.Points)
	vectors.Kernel = k
	q.Points = vectors.Any()
	p, err := q.Featured(ctx, l.by, quiet)
	if err != nil {
		return nil, err
	}
	return featureFolds{foldSolver{p, l.m}, func(rows []int) values {
		tested := p.Part(rows)
		return func(ctx context.Context, f task.Function) (*mat.Dense, error) { return tested.Values(ctx, f, quiet) }
	}}, checkPasses(p, l.m)
}

// values evaluates functions on some rows.
type values func(ctx context.Context, f task.Function) (*mat.Dense, error)

// featureFolds learns in features of the rows.
type featureFolds struct {
	foldSolver
	on func(rows []int) values
}

// Fold fits on some rows and evaluates on others.
func (l featureFolds) Fold(_ context.Context, s tune.Split) (tune.Fold, error) {
	return func(ctx context.Context, values [][]float64) ([]*tune.Outcome, []error, error) {
		part, tested := l.p.Part(s.Train), l.on(s.Test) // of one split at a time
		outcomes, failed := make([]*tune.Outcome, len(values)), make([]error, len(values))
		for i, v := range values {
			outcomes[i], failed[i] = l.outcome(ctx, v, part, tested)
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
		}
		return outcomes, failed, nil
	}, nil
}

// outcome fits with some values of the parameters.
func (l featureFolds) outcome(ctx context.Context, at []float64, part *task.Task, tested values) (*tune.Outcome, error) {
	found, err := l.m.With(at).Fit(ctx, part)
	if err != nil {
		return nil, err
	}
	outputs, err := tested(ctx, found.Function)
	if err != nil {
		return nil, err
	}
	if err := checkOutputs(found, outputs); err != nil {
		return nil, err
	}
	return &tune.Outcome{Outputs: outputs, Tag: found.Decision.HeldOut()}, nil
}
