package methods

import (
	"context"
	"errors"
	"fmt"
	"math"
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

// FoldOnPoints learns from the training rows at all values of λ and evaluates on the others; see
// [Falkon.FitPath].
func (o Falkon) FoldOnPoints(ctx context.Context, p *task.Task, points task.Points, rows tune.Split, values [][]float64) ([]*tune.Outcome, []error, error) {
	outcomes, failed := make([]*tune.Outcome, len(values)), make([]error, len(values))
	lambdas := make([]float64, len(values))
	for i, v := range values {
		lambdas[i] = v[0]
	}
	outputs, _, err := o.FitPath(ctx, p, points, rows, lambdas)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		for i := range failed {
			failed[i] = err
		}
		return outcomes, failed, nil
	}
	tag := o.Decision(p).HeldOut()
	for i := range outcomes {
		outcomes[i] = &tune.Outcome{Outputs: outputs[i], Tag: tag}
	}
	return outcomes, failed, nil
}

// FitPath learns from the training rows at every λ, and returns the outputs on the test rows, in
// rising order: landmarks are chosen once, the fits follow one another from the largest λ, and one
// pass over kernel values evaluates them.
func (o Falkon) FitPath(ctx context.Context, p *task.Task, points task.Points, rows tune.Split, lambdas []float64) (outputs []*mat.Dense, reports []*falkon.Report, err error) {
	q := *p
	q.Points = points
	train, tested := q.Part(rows.Train), &q
	if len(rows.Test) < points.Size() {
		tested = q.Part(rows.Test)
	}
	var f task.Function
	train.Points.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { f, reports, err = pathOn(ctx, l, train, o, lambdas) },
		IDs:     func(l task.TypedPoints[string]) { f, reports, err = pathOn(ctx, l, train, o, lambdas) },
		Records: func(l task.TypedPoints[record.Record]) { f, reports, err = pathOn(ctx, l, train, o, lambdas) },
	})
	if err != nil {
		return nil, nil, err
	}
	all, err := tested.Values(ctx, f, compute.Options{Workers: o.Compute.Workers})
	if err != nil {
		return nil, nil, err
	}
	return sideBySide(all, len(lambdas)), reports, nil
}

// pathOn returns the functions for all λ, with the outputs of each side by side.
func pathOn[T any](ctx context.Context, l task.TypedPoints[T], p *task.Task, o Falkon, lambdas []float64) (task.Function, []*falkon.Report, error) {
	f, reports, err := alongLambda(ctx, l.Kernel, p, l.Set, o, lambdas)
	if err != nil {
		return task.Function{}, nil, err
	}
	return task.NewFunction[T](l.Encoding, l.Kernel, f), reports, nil
}

// LeavesOut divides n rows in those that a path learns from and those that score it: the share of
// Holdout, which then ends no iteration.
func (o Falkon) LeavesOut(n int) (train, left []int, err error) {
	if o.Descent.Steps > 0 {
		return nil, nil, errors.New("learner: a path goes through all λ on the same landmarks, and a descent moves them for one λ: leave the descent out, or fit falkon with it at the λ of the path")
	}
	count := int(math.Round(o.Holdout * float64(n)))
	if !(o.Holdout > 0 && o.Holdout < 1) || count == 0 || count == n {
		return nil, nil, fmt.Errorf("learner: a share of %v of %d rows cannot be left out: some must be, and some be learned from", o.Holdout, n)
	}
	train, left = o.LeftOut(n, count)
	return train, left, nil
}

// alongLambda chooses landmarks among the points of a problem and returns the functions for all λ
// as one, with the outputs of each side by side. One pass over kernel values then predicts with all
// of them.
func alongLambda[T any](ctx context.Context, k kernel.Kernel[T], p *task.Task, xs data.Set[T], o Falkon, lambdas []float64) (*model.Expansion[T], []*falkon.Report, error) {
	y, err := o.targets(p)
	if err != nil {
		return nil, nil, err
	}
	o.Holdout = 0
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

// sideBySide cuts the columns of a matrix in equal parts.
func sideBySide(all *mat.Dense, parts int) []*mat.Dense {
	rows, cols := all.Dims()
	out := make([]*mat.Dense, parts)
	for i := range out {
		out[i] = mat.DenseCopyOf(all.Slice(0, rows, i*cols/parts, (i+1)*cols/parts))
	}
	return out
}

// OpenPath returns the method with a checkpoint of a path in a file, to close when it is done. It
// goes on from the file if there is one; rows, kernel and options must be those that it was written
// with.
func (o Falkon) OpenPath(p *task.Task, lambdas []float64, path string, every time.Duration) (learner.Learner, *learner.Checkpoint, error) {
	share := o.Holdout
	o.Holdout = 0
	options := fmt.Sprintf("λ %v, held out %g, %s", lambdas, share, learner.Describe(o))
	o.Holdout = share
	c, err := learner.OpenSteps(p, options, &o.Compute, path, every)
	return o, c, err
}
