package pipeline

import (
	"context"

	"example.org/mercer/kernel/record"
	"example.org/mercer/tune"
)

// searchFree finds λ and the free parameters of kernel ridge regression. With one value per
// column it first finds the best single value of each width, and starts there.
func searchFree[T any](ctx context.Context, s spoken[T], o tune.Options, perColumn bool, r Reduction) (learner, *Tuned, error) {
	parameters, err := s.free(ctx)
	if err != nil {
		return learner{}, nil, err
	}
	points, tuned, err := searchOn(ctx, s.space, spaceOf(s.node, parameters, s.dictionary), s.in, o, r)
	if err != nil || !perColumn || s.spread == nil {
		return points, tuned, err
	}
	for i := range parameters {
		if parameters[i], err = s.spread(parameters[i], tuned.Values[i]); err != nil {
			return learner{}, nil, err
		}
	}
	return searchOn(ctx, s.space, spaceOf(s.node, parameters, s.dictionary), s.in, o, r)
}

// searchExpression is [searchFree] for points of any type.
func searchExpression(ctx context.Context, e speech, o tune.Options, perColumn bool, r Reduction) (rows learner, tuned *Tuned, err error) {
	e.visit(expressionVisitor{
		func(s spoken[[]float64]) { rows, tuned, err = searchFree(ctx, s, o, perColumn, r) },
		func(s spoken[string]) { rows, tuned, err = searchFree(ctx, s, o, perColumn, r) },
		func(s spoken[record.Record]) { rows, tuned, err = searchFree(ctx, s, o, perColumn, r) },
	})
	return rows, tuned, err
}

// crossFree finds the free parameters of the kernel and those of a method by cross-validation.
func crossFree[T any](ctx context.Context, s spoken[T], groups []string, m tunable, o CrossSearch) (*Problem, Method, *CrossTuned, error) {
	parameters, err := s.free(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	return crossOn(ctx, s.space, spaceOf(s.node, parameters, s.dictionary), s.in, groups, m, o)
}

// crossExpression is [crossFree] for points of any type.
func crossExpression(ctx context.Context, e speech, groups []string, m tunable, o CrossSearch) (p *Problem, best Method, tuned *CrossTuned, err error) {
	e.visit(expressionVisitor{
		func(s spoken[[]float64]) { p, best, tuned, err = crossFree(ctx, s, groups, m, o) },
		func(s spoken[string]) { p, best, tuned, err = crossFree(ctx, s, groups, m, o) },
		func(s spoken[record.Record]) { p, best, tuned, err = crossFree(ctx, s, groups, m, o) },
	})
	return p, best, tuned, err
}
