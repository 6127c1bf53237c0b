package learner

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/tune"
)

// featureSolver cross-validates in explicit features, which all splits and all values of the
// method's parameters share: for each kernel 8nD bytes instead of 8n².
type featureSolver[T any] struct {
	foldSolver
	xs       data.Set[T]
	features tune.Featuring[T]
	compute  compute.Options
}

// Squares is 0: no Gram matrix is held.
func (l featureSolver[T]) Squares() int { return 0 }

// On computes the features of all rows.
func (l featureSolver[T]) On(ctx context.Context, b tune.Bound[T]) (tune.Folds, error) {
	op, err := l.features(ctx, b.Kernel, l.xs, l.p.Rows.W)
	if err != nil {
		return nil, err
	}
	p, err := onFeatures(l.p, op)
	return featureFolds{foldSolver{p, l.m}, op.Phi(), l.compute}, err
}
