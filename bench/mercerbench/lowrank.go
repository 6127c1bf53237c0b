package main

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/krr"
	"mercer/nystrom"
)

// lowRank is ridge regression on the features of given landmarks, and predictions of new
// rows by the expansion on the landmarks.
type lowRank struct {
	problem
	landmarks, fresh data.Vectors
	values           *mat.Dense
}

func newLowRank(dir string, p params) (work, error) {
	problem, err := loadProblem(dir, p)
	if err != nil {
		return nil, err
	}
	l := &lowRank{problem: problem}
	if l.landmarks, err = readVectors(dir, "landmarks"); err != nil {
		return nil, err
	}
	l.fresh, err = readVectors(dir, "new")
	return l, err
}

func (l *lowRank) forget() { l.values = nil }

func (l *lowRank) run(ctx context.Context) (float64, error) {
	low, err := nystrom.New(ctx, l.k, data.Set[[]float64](l.landmarks), gram.Options{})
	if err != nil {
		return 0, err
	}
	fitted, _, err := krr.Fit[[]float64](ctx, low, l.x, l.y, krr.Options{Ridge: l.p.Ridge, NoIntercept: true, Solver: krr.Primal})
	if err != nil {
		return 0, err
	}
	if fitted, err = nystrom.Collapse(ctx, fitted); err != nil {
		return 0, err
	}
	l.values, err = fitted.Predict(ctx, l.fresh, gram.Options{})
	return 0, err
}

func (l *lowRank) save(_ context.Context, dir string) error {
	return writeMatrix(dir, "result", l.values)
}
