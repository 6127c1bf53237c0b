package manifold

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg"
)

// reconstruct is locally linear embedding:
//
//  1. write every point as the mean of its neighbours with weights of sum 1 that is nearest to it,
//     min ‖φ(xᵢ) − Σⱼ wᵢⱼ φ(xⱼ)‖²: with C the inner products of φ(xⱼ) − φ(xᵢ), solve (C + rI)w ∝ 1,
//     r = Ridge·tr C;
//  2. take the coordinates with covariance I that the same weights reconstruct best: eigenvectors
//     of M = (I−W)ᵀ(I−W) with the smallest eigenvalues but the first, which is 0, times √n.
//
// A new point is the mean of its neighbours' coordinates with weights found as in 1.
//
// Roweis and Saul, Nonlinear dimensionality reduction by locally linear embedding, Science 290
// (2000).
func reconstruct(s *search) error {
	near, err := s.neighbours()
	if err != nil {
		return err
	}
	s.graph(near) // counts its edges
	n := len(near)
	rest := mat.NewDense(n, n, nil) // I − W
	problems := make([]error, n)
	err = parallel.Each(s.ctx, s.o.Compute.WorkerCount(), n, func(_, i int) {
		squares := make([]float64, len(near[i]))
		for a, j := range near[i] {
			squares[a] = s.squares.At(i, j)
		}
		w, err := meanWeights(squares, func(a, b int) float64 { return s.squares.At(near[i][a], near[i][b]) }, s.o.Ridge)
		if err != nil {
			problems[i] = fmt.Errorf("manifold: row %d: %w", i+1, err)
			return
		}
		rest.Set(i, i, 1)
		for a, j := range near[i] {
			rest.Set(i, j, -w[a])
		}
	})
	if err = cmp.Or(err, firstOf(problems)); err != nil {
		return err
	}
	var m mat.SymDense
	m.SymOuterK(1, rest.T())
	e, err := linalg.EigenSym(s.ctx, &m, s.o.Compute.Factoring())
	if err != nil {
		return fmt.Errorf("manifold: %w", err)
	}
	z := mat.NewDense(n, s.o.Components, nil)
	for j := range s.o.Components {
		z.SetCol(j, mat.Col(nil, j+1, e.Vectors))
	}
	if e.Values[1] < float64(n)*0x1p-48*e.Values[n-1] {
		s.report.Warn("more than one eigenvalue is zero: the graph of neighbours falls into parts, or the points lie in a flat of few dimensions; take more neighbours")
	}
	z.Scale(math.Sqrt(float64(n)), z)
	linalg.Orient(z)
	s.found.Coordinates, s.report.Eigenvalues = z, append([]float64(nil), e.Values[1:s.o.Components+1]...)
	return nil
}

// firstOf returns the first error.
func firstOf(problems []error) error {
	for _, err := range problems {
		if err != nil {
			return err
		}
	}
	return nil
}

// meanWeights returns the weights of the mean of neighbours nearest to a point, from its squared
// distances to them and theirs: Cₐᵦ = ½(d²ₐ + d²ᵦ − d²ₐᵦ).
func meanWeights(squares []float64, between func(a, b int) float64, ridge float64) ([]float64, error) {
	k, trace := len(squares), 0.0
	c := mat.NewSymDense(k, nil)
	for a := range k {
		trace += squares[a]
		for b := a; b < k; b++ {
			c.SetSym(a, b, (squares[a]+squares[b]-between(a, b))/2)
		}
	}
	w := make([]float64, k)
	if trace == 0 { // all are at the point
		for a := range w {
			w[a] = 1 / float64(k)
		}
		return w, nil
	}
	for a := range k {
		c.SetSym(a, a, c.At(a, a)+ridge*trace)
	}
	ones, solved := mat.NewVecDense(k, nil), mat.NewVecDense(k, w)
	for a := range k {
		ones.SetVec(a, 1)
	}
	var chol mat.Cholesky
	if !chol.Factorize(c) {
		return nil, fmt.Errorf("the inner products of its %d neighbours are not positive definite with a ridge of %g: take a larger one", k, ridge)
	}
	if err := chol.SolveVecTo(solved, ones); err != nil {
		return nil, err
	}
	sum := mat.Sum(solved)
	for a := range w {
		w[a] /= sum
	}
	return w, nil
}

func placeByNeighbours(m *Map, dst []float64, at *View) {
	clear(dst)
	near := nearest(at.Squares, m.Shape.Neighbours, -1)
	squares := make([]float64, len(near))
	for a, i := range near {
		squares[a] = at.Squares[i]
	}
	between := at.Between(near)
	w, err := meanWeights(squares, func(a, b int) float64 { return between.At(a, b) }, m.Shape.Ridge)
	if err != nil { // no kernel with distances comes here
		for j := range dst {
			dst[j] = math.NaN()
		}
		return
	}
	for a, i := range near {
		for j, v := range m.Coordinates.RawRowView(i) {
			dst[j] += w[a] * v
		}
	}
}
