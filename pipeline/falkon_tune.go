package pipeline

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/falkon"
	"mercer/gram"
	"mercer/kernel"
	"mercer/model"
	"mercer/nystrom"
	"mercer/tune"
)

// landmarkLearner tunes falkon on the points: landmarks are chosen once for each kernel and
// split, and all values of λ follow from the largest by warm starts. Nothing of the size of
// a Gram matrix is held.
type landmarkLearner[T any] struct {
	foldLearner
	method Falkon
	xs     data.Set[T]
}

// On has nothing to prepare: landmarks are chosen among the rows that are learned from.
func (l landmarkLearner[T]) On(_ context.Context, k kernel.Kernel[T]) (tune.Folds, error) {
	return landmarkFolds[T]{l, k}, nil
}

// landmarkFolds tunes falkon with one kernel.
type landmarkFolds[T any] struct {
	landmarkLearner[T]
	kernel kernel.Kernel[T]
}

// LearnFold fits along the values of λ and predicts the test rows.
func (l landmarkFolds[T]) LearnFold(ctx context.Context, train, test []int, values [][]float64) ([]*tune.Outcome, []error, error) {
	outcomes, failed := make([]*tune.Outcome, len(values)), make([]error, len(values))
	part := l.p.part(train)
	f, outputs, err := l.along(ctx, l.kernel, part, data.Subset(l.xs, train), values)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		for i := range failed {
			failed[i] = err
		}
		return outcomes, failed, nil
	}
	all, err := f.Predict(ctx, data.Subset(l.xs, test), gram.Options{Workers: l.method.Compute.Workers})
	if err != nil {
		return nil, nil, err
	}
	tag := l.method.decision(part).heldOut()
	for i := range values {
		outcomes[i] = &tune.Outcome{Outputs: mat.DenseCopyOf(all.Slice(0, len(test), i*outputs, (i+1)*outputs)), Tag: tag}
	}
	return outcomes, failed, nil
}

// along returns the functions for all values as one with the outputs of each side by side.
func (l landmarkLearner[T]) along(ctx context.Context, k kernel.Kernel[T], part *Problem, xs data.Set[T], values [][]float64) (f *model.Expansion[T], outputs int, err error) {
	y, err := l.method.targets(part)
	if err != nil {
		return nil, 0, err
	}
	o := l.method.on(part, xs.Len())
	at, _, err := nystrom.Landmarks(ctx, k, xs, o.Landmarks)
	if err != nil {
		return nil, 0, err
	}
	lambdas := make([]float64, len(values))
	for i, v := range values {
		lambdas[i] = v[0]
	}
	fits, _, err := falkon.Path(ctx, k, xs, at, y, lambdas, o.Options)
	if err != nil {
		return nil, 0, err
	}
	m, outputs := fits[0].Coef.Dims()
	f = &model.Expansion[T]{Kernel: k, Points: fits[0].Points, Coef: mat.NewDense(m, outputs*len(fits), nil)}
	for i, fit := range fits {
		f.Coef.Slice(0, m, i*outputs, (i+1)*outputs).(*mat.Dense).Copy(fit.Coef)
		f.Bias = slices.Concat(f.Bias, fit.Bias)
	}
	return f, outputs, nil
}
