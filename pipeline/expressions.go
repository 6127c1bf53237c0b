package pipeline

import (
	"context"

	"example.org/mercer/kernel/record"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// searchFree finds λ and the free parameters of kernel ridge regression. With one value per
// column it first finds the best single value of each width, and starts there.
func searchFree[T any](ctx context.Context, s task.TypedExpression[T], o tune.Options, perColumn bool, r task.Approximation) (task.Points, *Tuned, error) {
	parameters, err := s.Free(ctx)
	if err != nil {
		return task.Points{}, nil, err
	}
	points, tuned, err := searchOn(ctx, s.Space, task.SearchSpace(s.Node, parameters, s.Dictionary), s.In, o, r)
	if err != nil || !perColumn || s.Spread == nil {
		return points, tuned, err
	}
	for i := range parameters {
		if parameters[i], err = s.Spread(parameters[i], tuned.Values[i]); err != nil {
			return task.Points{}, nil, err
		}
	}
	return searchOn(ctx, s.Space, task.SearchSpace(s.Node, parameters, s.Dictionary), s.In, o, r)
}

// searchExpression is [searchFree] for points of any type.
func searchExpression(ctx context.Context, e task.Expression, o tune.Options, perColumn bool, r task.Approximation) (rows task.Points, tuned *Tuned, err error) {
	e.Visit(task.ExpressionVisitor{
		Vectors: func(s task.TypedExpression[[]float64]) { rows, tuned, err = searchFree(ctx, s, o, perColumn, r) },
		IDs:     func(s task.TypedExpression[string]) { rows, tuned, err = searchFree(ctx, s, o, perColumn, r) },
		Records: func(s task.TypedExpression[record.Record]) { rows, tuned, err = searchFree(ctx, s, o, perColumn, r) },
	})
	return rows, tuned, err
}

// crossFree finds the free parameters of the kernel and those of a method by cross-validation.
func crossFree[T any](ctx context.Context, s task.TypedExpression[T], groups []string, m tunable, o CrossSearch) (*task.Task, Method, *CrossTuned, error) {
	parameters, err := s.Free(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	return crossOn(ctx, s.Space, task.SearchSpace(s.Node, parameters, s.Dictionary), s.In, groups, m, o)
}

// crossExpression is [crossFree] for points of any type.
func crossExpression(ctx context.Context, e task.Expression, groups []string, m tunable, o CrossSearch) (p *task.Task, best Method, tuned *CrossTuned, err error) {
	e.Visit(task.ExpressionVisitor{
		Vectors: func(s task.TypedExpression[[]float64]) { p, best, tuned, err = crossFree(ctx, s, groups, m, o) },
		IDs:     func(s task.TypedExpression[string]) { p, best, tuned, err = crossFree(ctx, s, groups, m, o) },
		Records: func(s task.TypedExpression[record.Record]) { p, best, tuned, err = crossFree(ctx, s, groups, m, o) },
	})
	return p, best, tuned, err
}
