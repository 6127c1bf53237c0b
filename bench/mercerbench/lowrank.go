package main

import (
	"context"
	"runtime/debug"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/krr"
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
	low, err := nystrom.New(ctx, l.k, l.landmarks, compute.Options{})
	if err != nil {
		return 0, err
	}
	fitted, _, err := krr.Fit(ctx, low, l.x, l.y, krr.Options{Ridge: l.p.Ridge, NoIntercept: true, Solver: krr.Primal})
	if err != nil {
		return 0, err
	}
	if fitted, err = nystrom.Collapse(ctx, fitted); err != nil {
		return 0, err
	}
	l.values, err = fitted.Predict(ctx, l.fresh, compute.Options{})
	return 0, err
}

func (l *lowRank) save(_ context.Context, dir string) error {
	return writeMatrix(dir, "result", l.values)
}

// fewLandmarks is [falkon.Fit] on given landmarks for a given number of passes in single
// precision, and predictions of new rows.
type fewLandmarks struct {
	lowRank
	rows []int // that the landmarks are
}

func newFewLandmarks(dir string, p params) (work, error) {
	inner, err := newLowRank(dir, p)
	if err != nil {
		return nil, err
	}
	l := &fewLandmarks{lowRank: *inner.(*lowRank)}
	chosen, err := readMatrix(dir, "chosen")
	if err != nil {
		return nil, err
	}
	for i := range chosen.RawMatrix().Rows {
		l.rows = append(l.rows, int(chosen.At(i, 0)))
	}
	debug.SetMemoryLimit(mostMemory - mostMemory/10) // as the command does for --max-mem
	return l, nil
}

// mostMemory is what the fit of few landmarks may hold.
const mostMemory = 2 << 30

// unreached is a tolerance that leaves the end to the number of passes.
const unreached = 1e-300

func (l *fewLandmarks) run(ctx context.Context) (float64, error) {
	at := &nystrom.Selection[[]float64]{Points: l.landmarks, Rows: l.rows}
	f, _, err := falkon.Fit(ctx, l.k, l.x, at, l.y, falkon.Options{Ridge: l.p.Ridge, NoIntercept: true,
		Stop: falkon.Stop{Tolerance: unreached, Passes: l.p.Iterations}, Compute: compute.Options{Precision: compute.Single, MaxMemory: mostMemory}})
	if err != nil {
		return 0, err
	}
	l.values, err = f.Predict(ctx, l.fresh, compute.Options{})
	return 0, err
}
