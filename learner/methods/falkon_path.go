package methods

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/model"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// FoldOnLandmarks learns from the training rows at all values of λ: landmarks are chosen once, and
// the fits follow one another from the largest λ. One pass over kernel values evaluates them.
func (o Falkon) FoldOnLandmarks(ctx context.Context, p *task.Task, points task.Points, rows tune.Split, values [][]float64) (outcomes []*tune.Outcome, failed []error, err error) {
	points.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { outcomes, failed, err = foldOn(ctx, l, p, rows, values, o) },
		IDs:     func(l task.TypedPoints[string]) { outcomes, failed, err = foldOn(ctx, l, p, rows, values, o) },
		Records: func(l task.TypedPoints[record.Record]) { outcomes, failed, err = foldOn(ctx, l, p, rows, values, o) },
	})
	return outcomes, failed, err
}

func foldOn[T any](ctx context.Context, l task.TypedPoints[T], p *task.Task, rows tune.Split, values [][]float64, o Falkon) ([]*tune.Outcome, []error, error) {
	outcomes, failed := make([]*tune.Outcome, len(values)), make([]error, len(values))
	part := p.Part(rows.Train)
	lambdas := make([]float64, len(values))
	for i, v := range values {
		lambdas[i] = v[0]
	}
	f, _, err := AlongLambda(ctx, l.Kernel, part, data.Subset(l.Set, rows.Train), o, lambdas)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		for i := range failed {
			failed[i] = err
		}
		return outcomes, failed, nil
	}
	all, err := f.Predict(ctx, data.Subset(l.Set, rows.Test), compute.Options{Workers: o.Compute.Workers})
	if err != nil {
		return nil, nil, err
	}
	tag := o.Decision(part).HeldOut()
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

// OpenPath returns the method of [search.NewLandmarkPath] with a checkpoint in a file, to close
// when it is done. It goes on from the file if there is one; rows, kernel and options must be those
// that it was written with.
func OpenPath(p *task.Task, m Falkon, lambdas []float64, holdout float64, path string, every time.Duration) (Falkon, *learner.Checkpoint, error) {
	c, err := learner.OpenSteps(p, fmt.Sprintf("λ %v, held out %g, %s", lambdas, holdout, learner.Describe(m)), &m.Compute, path, every)
	return m, c, err
}
