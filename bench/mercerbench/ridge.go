package main

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
)

// problem is kernel ridge regression of y on X without intercept, as scikit-learn's
// KernelRidge poses it: (K + ridge·I)α = y.
type problem struct {
	k kernel.Kernel[[]float64]
	x data.Vectors
	y *mat.Dense
	p params
}

func loadProblem(dir string, p params) (problem, error) {
	k, err := vec.Parse(p.Kernel)
	if err != nil {
		return problem{}, err
	}
	x, err := readVectors(dir, "x")
	if err != nil {
		return problem{}, err
	}
	y, err := readMatrix(dir, "y")
	return problem{k: k, x: x, y: y, p: p}, err
}

// fit solves one ridge from the points on.
type fit struct {
	problem
	solver    krr.Solver
	precision compute.Precision
	model     *model.Expansion[[]float64]
}

func newFit(solver krr.Solver, precision compute.Precision) func(string, params) (work, error) {
	return func(dir string, p params) (work, error) {
		problem, err := loadProblem(dir, p)
		return &fit{problem: problem, solver: solver, precision: precision}, err
	}
}

func (f *fit) forget() { f.model = nil }

func (f *fit) run(ctx context.Context) (float64, error) {
	fitted, _, err := krr.Fit(ctx, f.k, f.x, f.y, krr.Options{
		Ridge: f.p.Ridge, NoIntercept: true, Solver: f.solver, Tolerance: 1e-10, Compute: compute.Options{Precision: f.precision},
	})
	if err != nil {
		return 0, err
	}
	f.model = fitted.(*model.Expansion[[]float64])
	return 0, nil
}

func (f *fit) save(_ context.Context, dir string) error {
	return writeMatrix(dir, "result", f.model.Coef)
}

// loo is the path of exact leave-one-out errors: points → K → one eigendecomposition
// → every ridge.
type loo struct {
	problem
	errors *mat.Dense // ridges × 1: mean squares
}

func newLOO(dir string, p params) (work, error) {
	problem, err := loadProblem(dir, p)
	return &loo{problem: problem}, err
}

func (l *loo) forget() { l.errors = nil }

func (l *loo) run(ctx context.Context) (float64, error) {
	xs := l.x
	in, err := space.DualOf(ctx, gram.Of(kernel.Bind(l.k, xs, xs), compute.Options{}), space.Options{Unsolved: true})
	if err != nil {
		return 0, err
	}
	path, err := krr.NewPath(ctx, in, l.y, krr.PathOptions{NoIntercept: true})
	if err != nil {
		return 0, err
	}
	points, err := path.AlongRidges(ctx, l.p.Ridges)
	if err != nil {
		return 0, err
	}
	l.errors = mat.NewDense(len(points), 1, nil)
	for i, point := range points {
		n, _ := point.LOOResiduals.Dims()
		sum := mat.Norm(point.LOOResiduals, 2)
		l.errors.Set(i, 0, sum*sum/float64(n))
	}
	return 0, nil
}

func (l *loo) save(_ context.Context, dir string) error { return writeMatrix(dir, "result", l.errors) }

// eigen is the full symmetric eigenproblem.
type eigen struct {
	a      *mat.SymDense
	result *linalg.Eigen
}

func newEigen(dir string, _ params) (work, error) {
	a, err := readMatrix(dir, "a")
	if err != nil {
		return nil, err
	}
	n, _ := a.Dims()
	return &eigen{a: mat.NewSymDense(n, a.RawMatrix().Data)}, nil
}

func (e *eigen) forget() { e.result = nil }

func (e *eigen) run(ctx context.Context) (float64, error) {
	var err error
	e.result, err = linalg.EigenSym(ctx, e.a, linalg.Options{})
	return 0, err
}

func (e *eigen) save(_ context.Context, dir string) error {
	if err := writeMatrix(dir, "result", e.result.Vectors); err != nil {
		return err
	}
	return writeMatrix(dir, "values", mat.NewDense(len(e.result.Values), 1, e.result.Values))
}

// gonumEigen is the same problem for gonum's EigenSym.
type gonumEigen struct {
	a      *mat.SymDense
	result *mat.EigenSym
}

func newGonumEigen(dir string, p params) (work, error) {
	w, err := newEigen(dir, p)
	if err != nil {
		return nil, err
	}
	return &gonumEigen{a: w.(*eigen).a}, nil
}

func (e *gonumEigen) forget() { e.result = nil }

func (e *gonumEigen) run(context.Context) (float64, error) {
	e.result = &mat.EigenSym{}
	if !e.result.Factorize(e.a, true) {
		return 0, errors.New("gonum: the eigenvalues did not converge")
	}
	return 0, nil
}

func (e *gonumEigen) save(_ context.Context, dir string) error {
	var vectors mat.Dense
	e.result.VectorsTo(&vectors)
	if err := writeMatrix(dir, "result", &vectors); err != nil {
		return err
	}
	values := e.result.Values(nil)
	return writeMatrix(dir, "values", mat.NewDense(len(values), 1, values))
}
