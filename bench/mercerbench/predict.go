package main

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// oneRow predicts the rows of "new" one at a time by a model that is bound, as that of a
// server, and reports the median time of one call.
type oneRow struct {
	f       *model.Bound[[]float64]
	rows    data.Vectors
	repeats int
	out     *mat.Dense
}

func newOneRow(dir string, p params) (work, error) {
	problem, err := loadProblem(dir, p)
	if err != nil {
		return nil, err
	}
	rows, err := readVectors(dir, "new")
	if err != nil {
		return nil, err
	}
	f, err := (&model.Expansion[[]float64]{Kernel: problem.k, Points: problem.x, Coef: problem.y}).Bind()
	return &oneRow{f: f, rows: rows, repeats: p.Repeats}, err
}

func (o *oneRow) forget() {}

func (o *oneRow) run(ctx context.Context) (float64, error) {
	o.out = mat.NewDense(o.rows.Len(), 1, nil)
	times := make([]float64, o.repeats)
	for i := range times {
		row := i % o.rows.Len()
		start := time.Now()
		y, err := o.f.Predict(ctx, data.Slice[[]float64]{o.rows.At(row)}, compute.Options{})
		if err != nil {
			return 0, err
		}
		times[i] = time.Since(start).Seconds()
		o.out.Set(row, 0, y.At(0, 0))
	}
	slices.Sort(times)
	return times[len(times)/2], nil
}

func (o *oneRow) save(_ context.Context, dir string) error { return writeMatrix(dir, "result", o.out) }

// table is a fit end to end: read a file, standardise its columns, fit, read
// the test file, predict it.
type table struct {
	dir string
	p   params
	o   krr.Options
	out *mat.Dense
}

// newTable returns the contestant of a solver and a precision.
func newTable(s krr.Solver, precision compute.Precision) func(dir string, p params) (work, error) {
	return func(dir string, p params) (work, error) {
		o := krr.Options{Ridge: p.Ridge, NoIntercept: true, Solver: s, Compute: compute.Options{Precision: precision}}
		return &table{dir: dir, p: p, o: o}, nil
	}
}

func (t *table) forget() { t.out = nil }

func (t *table) run(ctx context.Context) (float64, error) {
	train, err := open.Read(ctx, filepath.Join(t.dir, "train.csv"), open.Options{})
	if err != nil {
		return 0, err
	}
	problem, err := task.New(ctx, train, prep.Spec{Targets: []string{"y"}}, t.p.Kernel)
	if err != nil {
		return 0, err
	}
	m, err := mercer.Fit(ctx, problem, methods.KRR{Options: t.o}, 1)
	if err != nil {
		return 0, err
	}
	test, err := open.Read(ctx, filepath.Join(t.dir, "test.csv"), open.Options{})
	if err != nil {
		return 0, err
	}
	predicted, err := m.Predict(ctx, test, compute.Options{})
	if err != nil {
		return 0, err
	}
	t.out = predicted.Values
	return 0, nil
}

func (t *table) save(_ context.Context, dir string) error { return writeMatrix(dir, "result", t.out) }
