package manifold

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

// walk finds eigenvectors of a random walk whose steps go by affinities wᵢⱼ ≥ 0.
//
//  1. The affinities are the values of the kernel; of an Eigenmap those of neighbours, or 1,
//     and 0 elsewhere.
//  2. A diffusion map takes density out: wᵢⱼ/(qᵢqⱼ)^α, q the sums of rows.
//  3. With D the sums of rows now, the walk is P = D⁻¹W. Of D^−½WD^−½ the eigenvectors u with the
//     largest μ, but for the first, give z = D^−½u, eigenvectors of P.
//  4. An Eigenmap scales them to zᵀDz = 1. A diffusion map has them of mean square 1 under the
//     stationary law D/ΣD, times μᵗ: then ‖zᵢ−zⱼ‖ of all coordinates is the distance between the
//     laws of two walks after t steps.
//
// A new point takes a step of the walk: z(x) = (1/μ) Σ p(x, xᵢ) zᵢ, the formula of Nyström. Its own
// density cancels in p.
//
// Belkin and Niyogi, Laplacian eigenmaps for dimensionality reduction and data representation,
// Neural Computation 15 (2003); Coifman and Lafon, Diffusion maps, Applied and Computational
// Harmonic Analysis 21 (2006).
func walk(s *search) error {
	w, err := s.affinities()
	if err != nil {
		return err
	}
	s.lap(stageNeighbours)
	s.k, s.squares = nil, nil
	n := w.SymmetricDim()
	density := rowSums(w)
	shares := make([]float64, n)
	for i, q := range density {
		if !(q > 0) {
			return fmt.Errorf("manifold: row %d has no affinity above zero: the walk does not leave it", i+1)
		}
		shares[i] = 1
		if s.o.Method == DiffusionMap {
			shares[i] = math.Pow(q, -s.o.Alpha)
		}
	}
	multiply(w, shares)
	degrees := rowSums(w)
	roots, total := make([]float64, n), 0.0
	for i, d := range degrees {
		roots[i] = 1 / math.Sqrt(d)
		total += d
	}
	multiply(w, roots)
	values, vectors, err := s.walked(w, roots)
	if err != nil {
		return err
	}
	s.found.Shares = shares
	return s.step(values, vectors, roots, total)
}

// walked returns the eigenvalues of D^−½WD^−½ that follow the largest, which is 1 and belongs to
// the roots of the degrees, and their eigenvectors. Among neighbours they are close to 1, and those
// of the inverse of I − D^−½WD^−½ lie further apart.
func (s *search) walked(w *mat.SymDense, roots []float64) ([]float64, *mat.Dense, error) {
	n, k := w.SymmetricDim(), s.o.Components
	if s.found.Radii != nil && s.few(n) {
		first := make([]float64, n)
		for i, r := range roots {
			first[i] = 1 / r
		}
		floats.Scale(1/floats.Norm(first, 2), first)
		rest := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				rest.SetSym(i, j, -w.At(i, j))
			}
			rest.SetSym(i, i, 1-w.At(i, i))
		}
		values, vectors, err := s.inverted(rest, first)
		var indefinite *linalg.NotPositiveDefinite
		if err == nil {
			for j, v := range values {
				values[j] = 1 - v
			}
		}
		if !errors.As(err, &indefinite) {
			return values, vectors, err
		}
	}
	values, vectors, err := s.top(w, k+1)
	if err != nil {
		return nil, nil, err
	}
	return values[1:], vectors.Slice(0, n, 1, k+1).(*mat.Dense), nil
}

// step makes coordinates of eigenvectors, and the factors by which new points are placed.
func (s *search) step(values []float64, vectors *mat.Dense, roots []float64, total float64) error {
	n, m := vectors.Dims()
	kept := 0
	for kept < m && values[kept] > float64(n)*0x1p-48 {
		kept++
	}
	if kept == 0 {
		return fmt.Errorf("manifold: every step of the walk forgets where it came from: no eigenvalue but the first is above zero; take a narrower kernel or fewer neighbours")
	}
	if kept < m {
		s.report.Warn("%d coordinates were asked for, and the walk has %d with an eigenvalue above zero", m, kept)
	}
	if 1-values[0] < float64(n)*0x1p-48 {
		s.report.Warn("the walk never passes between some parts of the points (an eigenvalue is 1 beside the first): the first coordinates tell the parts apart; take more neighbours or a wider kernel for one surface")
	}
	z, factors := mat.NewDense(n, kept, nil), mat.NewDense(n, kept, nil)
	for j, mu := range values[:kept] {
		by := 1.0
		if s.o.Method == DiffusionMap {
			by = math.Sqrt(total) * math.Pow(mu, s.o.Time)
		}
		for i, r := range roots {
			z.Set(i, j, by*r*vectors.At(i, j))
		}
	}
	linalg.Orient(z)
	for i := range n {
		for j, mu := range values[:kept] {
			factors.Set(i, j, z.At(i, j)/mu)
		}
	}
	s.found.Coordinates, s.found.Factors, s.report.Eigenvalues = z, factors, values[:kept]
	s.lap(stageEigen)
	return nil
}

// affinities returns the weights of the steps.
func (s *search) affinities() (*mat.SymDense, error) {
	n := s.k.SymmetricDim()
	w := mat.NewSymDense(n, nil)
	if s.o.Neighbours == 0 {
		for i := range n {
			for j := i; j < n; j++ {
				w.SetSym(i, j, s.k.At(i, j))
			}
		}
	} else {
		near, err := s.neighbours()
		if err != nil {
			return nil, err
		}
		s.graph(near) // counts its edges
		s.found.Radii = make([]float64, n)
		weight := func(i, j int) float64 {
			if s.o.Binary {
				return 1
			}
			return s.k.At(i, j)
		}
		for i, others := range near {
			for _, j := range others {
				w.SetSym(i, j, weight(i, j))
			}
			s.found.Radii[i] = s.squares.At(i, others[len(others)-1])
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			if v := w.At(i, j); !(v >= 0) {
				return nil, fmt.Errorf("manifold: the affinity of rows %d and %d is %.3g: a walk needs values of the kernel ≥ 0, as those of rbf and laplace are", i+1, j+1, v)
			}
		}
	}
	return w, nil
}

func rowSums(w *mat.SymDense) []float64 {
	n := w.SymmetricDim()
	sums := make([]float64, n)
	for i := range n {
		for j := range n {
			sums[i] += w.At(i, j)
		}
	}
	return sums
}

// multiply multiplies element (i, j) by bᵢbⱼ.
func multiply(w *mat.SymDense, b []float64) {
	for i := range b {
		for j := i; j < len(b); j++ {
			w.SetSym(i, j, w.At(i, j)*b[i]*b[j])
		}
	}
}

// placeByWalk takes a step to the training points: to all, or to the nearest and to those of which
// it is one of the nearest. A point so far away that all of its affinities are rounded to zero
// takes the step to the nearest.
func placeByWalk(m *Map, dst []float64, at *View) {
	near := make([]bool, len(at.Squares))
	if m.Radii != nil {
		for _, i := range nearest(at.Squares, m.Shape.Neighbours, -1) {
			near[i] = true
		}
	}
	clear(dst)
	total := 0.0
	for i, v := range at.Values {
		if m.Radii != nil && !near[i] && at.Squares[i] > m.Radii[i] {
			continue
		}
		if m.Shape.Binary {
			v = 1
		}
		p := v * m.Shares[i]
		total += p
		for j, f := range m.Factors.RawRowView(i) {
			dst[j] += p * f
		}
	}
	if !(total > 0) {
		copy(dst, m.Factors.RawRowView(nearest(at.Squares, 1, -1)[0]))
		return
	}
	for j := range dst {
		dst[j] /= total
	}
}
