package search

import (
	"context"
	"fmt"

	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/task"
)

// searchFree finds the free parameters. With one value per column it first finds the best single
// value of each width, and starts there.
func searchFree[T any](ctx context.Context, s task.TypedExpression[T], w tuning) (*task.Task, learner.Learner, *Tuned, error) {
	parameters, err := s.Free(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := startAt(parameters, w.Ranges.Starts); err != nil {
		return nil, nil, nil, err
	}
	p, m, tuned, err := searchOn(ctx, s.Space, task.SearchSpace(s.Node, parameters, s.Dictionary), w)
	if _, path := w.method.(learner.ClosedForm); err != nil || !path || !w.Ranges.PerColumn || s.Spread == nil {
		return p, m, tuned, err
	}
	for i := range parameters {
		if parameters[i], err = s.Spread(parameters[i], tuned.Best.Values[i]); err != nil {
			return nil, nil, nil, err
		}
	}
	return searchOn(ctx, s.Space, task.SearchSpace(s.Node, parameters, s.Dictionary), w)
}

// searchExpression is [searchFree] for points of any type.
func searchExpression(ctx context.Context, e task.Expression, w tuning) (p *task.Task, best learner.Learner, tuned *Tuned, err error) {
	e.Visit(task.ExpressionVisitor{
		Vectors: func(s task.TypedExpression[[]float64]) { p, best, tuned, err = searchNetwork(ctx, s, w) },
		IDs:     func(s task.TypedExpression[string]) { p, best, tuned, err = searchFree(ctx, s, w) },
		Records: func(s task.TypedExpression[record.Record]) { p, best, tuned, err = searchFree(ctx, s, w) },
	})
	return p, best, tuned, err
}

// startAt starts free parameters at given values, if there are any.
func startAt(parameters []task.Hyperparameter, starts []float64) error {
	if starts == nil {
		return nil
	}
	if len(starts) != len(parameters) {
		return fmt.Errorf("search: the kernel has %d free parameters, and %d starts are given", len(parameters), len(starts))
	}
	for i, at := range starts {
		parameters[i].Starts = []float64{at}
	}
	return nil
}
