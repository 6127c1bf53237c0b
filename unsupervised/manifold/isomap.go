package manifold

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/unsupervised/kpca"
)

// isomap replaces distances by the lengths G of shortest paths:
//
//  1. join every point with its nearest others;
//  2. find the shortest paths between all points in this graph;
//  3. scale them classically: Z = V√Λ of −½HG²H.
//
// On a surface without curvature and holes, densely covered, G are the distances in its plane. A
// new point x goes by its neighbours: g(x, xᵢ) = min over them of d(x, xⱼ) + Gⱼᵢ.
//
// Tenenbaum, de Silva and Langford, A global geometric framework for nonlinear dimensionality
// reduction, Science 290 (2000).
func isomap(s *search) error {
	near, err := s.neighbours()
	if err != nil {
		return err
	}
	joined := s.graph(near)
	s.lap(stageNeighbours)
	s.k, s.squares = nil, nil
	if s.found.Paths, err = s.paths(joined); err != nil {
		return err
	}
	s.lap(stagePaths)
	return s.classical(mat.NewSymDense(len(near), s.found.Paths.RawMatrix().Data))
}

// classical scales distances: coordinates whose inner products are nearest to −½HD²H, the
// coefficients α and b by which z(x) = −½Σ αᵢ d²(x, xᵢ) + b, and the stress of them.
func (s *search) classical(d *mat.SymDense) error {
	n := d.SymmetricDim()
	half := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i + 1; j < n; j++ {
			half.SetSym(i, j, -d.At(i, j)*d.At(i, j)/2)
		}
	}
	sol, r, err := kpca.Solve(s.ctx, kpca.Gram{Operator: gram.FromMatrix(half)}, kpca.Options{Components: s.o.Components, Compute: s.o.Compute})
	if err != nil {
		return err
	}
	s.report.Eigenvalues, s.report.Ratio = scaled(r.Variances, float64(n)), r.Ratio
	if r.Dropped > 0 {
		s.report.Warn("%d coordinates were asked for, and the distances have %d", s.o.Components, r.Components)
	}
	var z mat.Dense
	z.Mul(half, sol.Coef)
	for i := range n {
		for j, b := range sol.Bias {
			z.Set(i, j, z.At(i, j)+b)
		}
	}
	s.found.Coordinates, s.found.Factors, s.found.Offsets = &z, sol.Coef, sol.Bias
	s.report.Stress = stress(&z, d)
	s.lap(stageEigen)
	return nil
}

func scaled(x []float64, by float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = by * v
	}
	return out
}

// expand stores −½Σ αᵢ sᵢ + b for squared distances s.
func (m *Map) expand(dst, squares []float64) {
	copy(dst, m.Offsets)
	for i, s := range squares {
		for j, a := range m.Factors.RawRowView(i) {
			dst[j] -= a * s / 2
		}
	}
}

func placeByPaths(m *Map, dst []float64, at *View) {
	squares := make([]float64, len(at.Squares))
	for i := range squares {
		squares[i] = math.Inf(1)
	}
	for _, j := range nearest(at.Squares, m.Shape.Neighbours, -1) {
		d, row := math.Sqrt(at.Squares[j]), m.Paths.RawRowView(j)
		for i := range squares {
			squares[i] = min(squares[i], d+row[i])
		}
	}
	for i, g := range squares {
		squares[i] = g * g
	}
	m.expand(dst, squares)
}
