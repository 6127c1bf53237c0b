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
//     of M = (I−W)ᵀ(I−W) with the smallest eigenvalues but the first, which is 0, times √n:
//     see [search.least].
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
	rows, err := s.reconstructions(near)
	if err != nil {
		return err
	}
	s.lap(stageNeighbours)
	n := len(near)
	s.k, s.squares = nil, nil
	values, z, err := s.least(func() *mat.SymDense { return gramOf(rows, n) })
	if err != nil {
		return err
	}
	z.Scale(math.Sqrt(float64(n)), z)
	linalg.Orient(z)
	s.found.Coordinates, s.report.Eigenvalues = z, values
	s.lap(stageEigen)
	return nil
}

// reconstructions returns the rows of I − W: the point itself, and then its neighbours.
func (s *search) reconstructions(near [][]int) ([][]entry, error) {
	rows, problems := make([][]entry, len(near)), make([]error, len(near))
	err := parallel.Each(s.ctx, s.o.Compute.WorkerCount(), len(near), func(_, i int) {
		squares := make([]float64, len(near[i]))
		for a, j := range near[i] {
			squares[a] = s.squares.At(i, j)
		}
		w, err := meanWeights(squares, func(a, b int) float64 { return s.squares.At(near[i][a], near[i][b]) }, s.o.Ridge)
		if err != nil {
			problems[i] = fmt.Errorf("manifold: row %d: %w", i+1, err)
			return
		}
		rows[i] = []entry{{i, 1}}
		for a, j := range near[i] {
			rows[i] = append(rows[i], entry{j, -w[a]})
		}
	})
	return rows, cmp.Or(err, firstOf(problems))
}

// entry is an element of a row of a matrix most of which is zero.
type entry struct {
	at    int
	value float64
}

// gramOf returns RᵀR for the rows of R.
func gramOf(rows [][]entry, n int) *mat.SymDense {
	m := mat.NewSymDense(n, nil)
	for _, row := range rows {
		for a, x := range row {
			for _, y := range row[a:] {
				m.SetSym(x.at, y.at, m.At(x.at, y.at)+x.value*y.value)
			}
		}
	}
	return m
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
