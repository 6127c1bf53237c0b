package manifold

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// search is one search for coordinates.
type search struct {
	ctx     context.Context
	o       Options
	k       *mat.SymDense // kernel values
	squares *mat.SymDense // d²
	report  *Report
	found   *Map
	watch   *model.Stopwatch
}

// lap ends a stage.
func (s *search) lap(name string) { s.watch.Lap(&s.report.Run, name) }

// Solve finds coordinates of the points that a kernel is bound to on both sides.
//
// It takes n² kernel values, and what the method takes: n² log n for the neighbours; of Isomap
// n(kn + n log n) for the paths; an eigendecomposition of n×n numbers (see
// [example.org/mercer/linalg.TopEigen]); of Stress mn² for each step. Memory is that of four to six
// matrices n×n.
//
// Errors: those of the options, all together; a graph of neighbours in several parts; affinities
// below zero; distances that do not exist as the kernel is not positive definite; those of ctx.
func Solve(ctx context.Context, pairs kernel.Pairs, o Options) (*Map, *Report, error) {
	n, cols := pairs.Dims()
	if n != cols {
		return nil, nil, fmt.Errorf("manifold: the kernel is bound to %d and %d points: both must be the same points", n, cols)
	}
	o, err := o.filled(n)
	if err != nil {
		return nil, nil, err
	}
	if need, limit := Bytes(n, o), o.Compute.MaxMemory; limit > 0 && need > limit {
		return nil, nil, &compute.TooLarge{What: fmt.Sprintf("%s of %d points, whose distances and paths are held", o.Method, n), Need: need, Limit: limit}
	}
	s := &search{ctx: ctx, o: o, watch: model.NewStopwatch(), report: &Report{N: n, Method: string(o.Method)},
		found: &Map{Shape: Shape{Method: o.Method, Ridge: o.Ridge, Neighbours: o.Neighbours, Binary: o.Binary}}}
	if s.k, err = gram.Dense(ctx, pairs, o.Compute); err != nil {
		return nil, nil, err
	}
	if err := s.distances(); err != nil {
		return nil, nil, err
	}
	s.lap(stageDistances)
	if err := rules[o.Method].find(s); err != nil {
		return nil, nil, err
	}
	_, s.report.Components = s.found.Coordinates.Dims()
	return s.found, s.report, nil
}

// The stages of a search, as its report names them.
const (
	stageDistances  = "distances"  // and the kernel values
	stageNeighbours = "neighbours" // and the weights of the edges
	stagePaths      = "paths"      // shortest, between all points
	stageEigen      = "eigenvectors"
	stageSmooth     = "smooth kernel" // values of the kernel of the new norm
	stageSteps      = "steps"         // of least stress
)

// Bytes is the memory of [Solve] for n points: two or three of kernel values, distances and paths
// at a time, the matrix that is decomposed, and what that takes.
func Bytes(n int, o Options) int64 {
	square := 8 * int64(n) * int64(n)
	if (&search{o: o}).few(n) {
		return 5 * square
	}
	return 8 * square
}

// distances computes all d².
func (s *search) distances() error {
	n := s.k.SymmetricDim()
	s.squares = mat.NewSymDense(n, nil)
	for i := range n {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		for j := i + 1; j < n; j++ {
			v, sum := s.k.At(i, i)+s.k.At(j, j)-2*s.k.At(i, j), math.Abs(s.k.At(i, i))+math.Abs(s.k.At(j, j))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("manifold: the kernel has no finite distance between rows %d and %d", i+1, j+1)
			}
			if v < -coincide*sum {
				return fmt.Errorf("manifold: the squared distance between rows %d and %d is %.3g: a kernel that is not positive definite has no distances", i+1, j+1, v)
			}
			s.squares.SetSym(i, j, max(v, 0))
		}
	}
	return nil
}

// smallOrder is the number of rows up to which all eigenvectors are found at once, as in kpca.
const smallOrder = 1000

// few reports whether the coordinates are few of n eigenvectors, which are found by iteration.
func (s *search) few(n int) bool { return n > smallOrder && s.o.Components <= n/8 }

// top returns the k largest eigenvalues, descending, and their eigenvectors.
func (s *search) top(a *mat.SymDense, k int) ([]float64, *mat.Dense, error) {
	n := a.SymmetricDim()
	if s.few(n) {
		t, _, err := linalg.TopEigen(s.ctx, gram.FromMatrix(a), k, s.topOptions())
		if err != nil {
			return nil, nil, fmt.Errorf("manifold: %w", err)
		}
		return t.Values, t.Vectors, nil
	}
	e, err := linalg.EigenSym(s.ctx, a, s.o.Compute.Factoring())
	if err != nil {
		return nil, nil, fmt.Errorf("manifold: %w", err)
	}
	values, vectors := make([]float64, k), mat.NewDense(n, k, nil)
	for j := range k {
		values[j] = e.Values[n-1-j]
		vectors.SetCol(j, mat.Col(nil, n-1-j, e.Vectors))
	}
	return values, vectors, nil
}

// least returns the k smallest eigenvalues of a positive semidefinite matrix and their
// eigenvectors, but for the eigenvalue 0 of the constant vector.
//
//  1. Few of many are found as the largest of the inverse of M + c·11ᵀ/n, c = tr M/n, by a
//     Cholesky factor: the constant vector has the eigenvalue 1/c there, one of the smallest.
//  2. All are found at once of few rows, and where the factor does not exist as 0 is more than one
//     eigenvalue.
func (s *search) least(make func() *mat.SymDense) ([]float64, *mat.Dense, error) {
	m := make()
	n, k := m.SymmetricDim(), s.o.Components
	largest := 0.0
	for i := range n {
		largest = max(largest, m.At(i, i))
	}
	if s.few(n) {
		constant := slices.Repeat([]float64{1 / math.Sqrt(float64(n))}, n)
		values, vectors, err := s.inverted(m, constant)
		var indefinite *linalg.NotPositiveDefinite
		if err == nil || !errors.As(err, &indefinite) {
			return values, vectors, err
		}
		m = make()
	}
	e, err := linalg.EigenSym(s.ctx, m, s.o.Compute.Factoring())
	if err != nil {
		return nil, nil, fmt.Errorf("manifold: %w", err)
	}
	z := mat.NewDense(n, k, nil)
	for j := range k {
		z.SetCol(j, mat.Col(nil, j+1, e.Vectors))
	}
	if e.Values[1] < float64(n)*0x1p-48*largest {
		s.report.Warn("more than one eigenvalue is zero: the graph of neighbours falls into parts, or the points lie in a flat of few dimensions; take more neighbours")
	}
	return append([]float64(nil), e.Values[1:k+1]...), z, nil
}

// inverted is step 1 of [search.least] for a matrix whose eigenvector of the eigenvalue 0, of
// length 1, is known. It overwrites m.
func (s *search) inverted(m *mat.SymDense, first []float64) ([]float64, *mat.Dense, error) {
	n, k := m.SymmetricDim(), s.o.Components
	c := mat.Trace(m) / float64(n)
	for i := range n {
		for j := i; j < n; j++ {
			m.SetSym(i, j, m.At(i, j)+c*first[i]*first[j])
		}
	}
	f, err := linalg.Factor(s.ctx, m, 0, s.o.Compute.Factoring())
	if err != nil {
		return nil, nil, err
	}
	t, _, err := linalg.TopEigen(s.ctx, inverse{f}, k, s.topOptions())
	if err != nil {
		return nil, nil, fmt.Errorf("manifold: %w", err)
	}
	values := t.Values
	for j, v := range values {
		values[j] = 1 / v
	}
	return values, t.Vectors, nil
}

// inverse multiplies by the inverse of a factored matrix.
type inverse struct{ of *linalg.Cholesky }

func (i inverse) Dims() (rows, cols int) { return i.of.Dim(), i.of.Dim() }

func (i inverse) Mul(ctx context.Context, dst, x *mat.Dense) error { return i.of.Solve(ctx, dst, x) }

// topOptions are those of iterations for a few eigenvectors.
func (s *search) topOptions() linalg.TopOptions {
	return linalg.TopOptions{Workers: s.o.Compute.Workers, Progress: s.o.Compute.Progress, Tolerance: 1e-10}
}
