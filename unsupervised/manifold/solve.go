package manifold

import (
	"context"
	"fmt"
	"math"

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
}

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
	if need, limit := Bytes(n), o.Compute.MaxMemory; limit > 0 && need > limit {
		return nil, nil, &compute.TooLarge{What: fmt.Sprintf("%s of %d points, whose distances and paths are held", o.Method, n), Need: need, Limit: limit}
	}
	s := &search{ctx: ctx, o: o, report: &Report{N: n, Method: string(o.Method)}, found: &Map{Shape: Shape{Method: o.Method, Ridge: o.Ridge, Neighbours: o.Neighbours, Binary: o.Binary}}}
	watch := model.NewStopwatch()
	if s.k, err = gram.Dense(ctx, pairs, o.Compute); err != nil {
		return nil, nil, err
	}
	if err := s.distances(); err != nil {
		return nil, nil, err
	}
	watch.Lap(&s.report.Run, "distances")
	if err := rules[o.Method].find(s); err != nil {
		return nil, nil, err
	}
	watch.Lap(&s.report.Run, "coordinates")
	_, s.report.Components = s.found.Coordinates.Dims()
	return s.found, s.report, nil
}

// Bytes is the memory of [Solve] for n points: kernel values, distances, paths, and the
// eigendecomposition with its copy.
func Bytes(n int) int64 { return 8 * 8 * int64(n) * int64(n) }

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

// top returns the k largest eigenvalues, descending, and their eigenvectors.
func (s *search) top(a *mat.SymDense, k int) ([]float64, *mat.Dense, error) {
	n := a.SymmetricDim()
	if n > smallOrder && k <= n/8 {
		t, _, err := linalg.TopEigen(s.ctx, gram.FromMatrix(a), k, linalg.TopOptions{Workers: s.o.Compute.Workers, Progress: s.o.Compute.Progress, Tolerance: 1e-10})
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
