package learner

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// landmarkSolver tunes falkon on the points: landmarks are chosen once for each kernel and
// split, and all values of λ follow from the largest by warm starts. Nothing of the size of
// a Gram matrix is held.
type landmarkSolver[T any] struct {
	foldSolver
	method Falkon
	xs     data.Set[T]
}

// Squares is 0: no Gram matrix is held.
func (l landmarkSolver[T]) Squares() int { return 0 }

// On has nothing to prepare: landmarks are chosen among the rows that are learned from.
func (l landmarkSolver[T]) On(_ context.Context, b tune.Bound[T]) (tune.Folds, error) {
	return landmarkFolds[T]{l, b.Kernel}, nil
}

// landmarkFolds tunes falkon with one kernel.
type landmarkFolds[T any] struct {
	landmarkSolver[T]
	kernel kernel.Kernel[T]
}

// Fold fits along the values of λ and predicts the test rows.
func (l landmarkFolds[T]) Fold(_ context.Context, s tune.Split) (tune.Fold, error) {
	return func(ctx context.Context, values [][]float64) ([]*tune.Outcome, []error, error) {
		return l.along(ctx, s.Train, s.Test, values)
	}, nil
}

func (l landmarkFolds[T]) along(ctx context.Context, train, test []int, values [][]float64) ([]*tune.Outcome, []error, error) {
	outcomes, failed := make([]*tune.Outcome, len(values)), make([]error, len(values))
	part := l.p.Part(train)
	lambdas := make([]float64, len(values))
	for i, v := range values {
		lambdas[i] = v[0]
	}
	f, _, err := AlongLambda(ctx, l.kernel, part, data.Subset(l.xs, train), l.method, lambdas)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		for i := range failed {
			failed[i] = err
		}
		return outcomes, failed, nil
	}
	all, err := f.Predict(ctx, data.Subset(l.xs, test), compute.Options{Workers: l.method.Compute.Workers})
	if err != nil {
		return nil, nil, err
	}
	tag := l.method.Decision(part).HeldOut()
	for i, outputs := range SideBySide(all, len(values)) {
		outcomes[i] = &tune.Outcome{Outputs: outputs, Tag: tag}
	}
	return outcomes, failed, nil
}

// AlongLambda chooses landmarks among the points of a problem and returns the functions for
// all λ as one with the outputs of each side by side, so that one pass over kernel values
// predicts with all of them.
func AlongLambda[T any](ctx context.Context, k kernel.Kernel[T], p *task.Task, xs data.Set[T], o Falkon, lambdas []float64) (*model.Expansion[T], []*falkon.Report, error) {
	y, err := o.targets(p)
	if err != nil {
		return nil, nil, err
	}
	o = o.on(p, xs.Len())
	at, chosen, err := nystrom.Landmarks(ctx, k, xs, o.Landmarks)
	if err != nil {
		return nil, nil, err
	}
	fits, reports, err := falkon.Path(ctx, k, xs, at, y, lambdas, o.Options)
	if err != nil {
		return nil, nil, err
	}
	m, outputs := fits[0].Coef.Dims()
	f := &model.Expansion[T]{Kernel: k, Points: fits[0].Points, Coef: mat.NewDense(m, outputs*len(fits), nil)}
	for i, fit := range fits {
		f.Coef.Slice(0, m, i*outputs, (i+1)*outputs).(*mat.Dense).Copy(fit.Coef)
		f.Bias = slices.Concat(f.Bias, fit.Bias)
		reports[i].Scheme = chosen.Scheme
	}
	return f, reports, nil
}

// SideBySide cuts the columns of a matrix in equal parts.
func SideBySide(all *mat.Dense, parts int) []*mat.Dense {
	rows, cols := all.Dims()
	out := make([]*mat.Dense, parts)
	for i := range out {
		out[i] = mat.DenseCopyOf(all.Slice(0, rows, i*cols/parts, (i+1)*cols/parts))
	}
	return out
}
