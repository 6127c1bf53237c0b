package manifold

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/parallel"
)

const (
	mostSteps     = 2000
	stressSettled = 1e-9 // relative fall of Σ(‖zᵢ−zⱼ‖ − dᵢⱼ)² in a step
	placeSteps    = 500
	placeSettled  = 1e-10 // of the movement of a new point, relative to its distances
)

// scale is metric multidimensional scaling: coordinates with the least Σ (‖zᵢ−zⱼ‖ − dᵢⱼ)², by
// SMACOF.
//
//  1. Begin at classical scaling.
//  2. Replace zᵢ by (1/n) Σⱼ [zⱼ + dᵢⱼ (zᵢ−zⱼ)/‖zᵢ−zⱼ‖], taken about the mean: Guttman's transform.
//  3. Go on until the sum falls by less than 1e-9 of itself.
//
// The transform minimises a quadratic majorant, so the sum never rises. What it comes to is a local
// minimum. A new point is placed where its own sum is least, the others at rest, by the same steps.
//
// De Leeuw, Applications of convex analysis to multidimensional scaling (1977); Borg and Groenen,
// Modern multidimensional scaling (2005), chapter 8.
func scale(s *search) error {
	d := s.roots()
	if err := s.classical(d); err != nil {
		return err
	}
	n := d.SymmetricDim()
	z := s.found.Coordinates
	_, m := z.Dims()
	next, last := mat.NewDense(n, m, nil), s.report.Stress
	lost, total := make([]float64, n), make([]float64, n)
	settled := last == 0
	meter := s.o.Compute.Meter("steps", mostSteps)
	for !settled && s.report.Iterations < mostSteps {
		err := parallel.Each(s.ctx, s.o.Compute.WorkerCount(), n, func(_, i int) {
			guttman(next.RawRowView(i), z.RawRowView(i), z, mat.Row(nil, i, d), 0)
		})
		if err == nil {
			err = parallel.Each(s.ctx, s.o.Compute.WorkerCount(), n, func(_, i int) { lost[i], total[i] = lostOf(next, d, i) })
		}
		if err != nil {
			return err
		}
		z, next = next, z
		s.report.Iterations++
		meter.Add(1)
		now := math.Sqrt(floats.Sum(lost) / floats.Sum(total))
		settled = last*last-now*now <= stressSettled*last*last
		last = now
	}
	if !settled {
		s.report.Warn("the stress still fell after %d steps", mostSteps)
	}
	meter.Done()
	s.found.Coordinates, s.report.Stress = z, last
	s.lap(stageSteps)
	return nil
}

// scaleClassically is classical multidimensional scaling: with H = I − 11ᵀ/n and D² the squared
// distances, the inner products −½HD²H = VΛVᵀ, and Z = V√Λ of the largest. Of Euclidean distances
// these are the principal components of the points. A new point is placed by Gower's formula, which
// is an expansion in −½d².
//
// Torgerson, Multidimensional scaling: I. Theory and method, Psychometrika 17 (1952); Gower, Adding
// a point to vector diagrams in multivariate analysis, Biometrika 55 (1968).
func scaleClassically(s *search) error { return s.classical(s.roots()) }

func placeByInnerProducts(m *Map, dst []float64, at *View) { m.expand(dst, at.Squares) }

// roots are the distances; their squares are let go.
func (s *search) roots() *mat.SymDense {
	d := s.squares
	s.k, s.squares = nil, nil
	for i := range d.SymmetricDim() {
		for j := i + 1; j < d.SymmetricDim(); j++ {
			d.SetSym(i, j, math.Sqrt(d.At(i, j)))
		}
	}
	return d
}

// guttman stores the mean of where the points of zs want z at their distances d. Of points at rest
// mean is 1; of points that all move, whose mean is the origin, it is 0 and their places cancel.
func guttman(dst, z []float64, zs *mat.Dense, d []float64, mean float64) {
	clear(dst)
	raw, m := zs.RawMatrix(), len(z)
	for i, want := range d {
		other, square := raw.Data[i*raw.Stride:i*raw.Stride+m], 0.0
		for j, v := range z {
			square += (v - other[j]) * (v - other[j])
		}
		if square > 0 {
			want /= math.Sqrt(square)
		} else {
			want = 0
		}
		for j, v := range z {
			dst[j] += mean*other[j] + want*(v-other[j])
		}
	}
	for j := range dst {
		dst[j] /= float64(len(d))
	}
}

// stress is Kruskal's first.
func stress(z *mat.Dense, d *mat.SymDense) float64 {
	var lost, total float64
	for i := range d.SymmetricDim() {
		l, t := lostOf(z, d, i)
		lost, total = lost+l, total+t
	}
	return math.Sqrt(lost / total)
}

// lostOf returns the sums of (‖zᵢ−zⱼ‖ − dᵢⱼ)² and of dᵢⱼ² over the points behind the i-th.
func lostOf(z *mat.Dense, d *mat.SymDense, i int) (lost, total float64) {
	a, raw, row := z.RawRowView(i), z.RawMatrix(), d.RawSymmetric()
	for j := i + 1; j < row.N; j++ {
		square, want := 0.0, row.Data[i*row.Stride+j]
		for c, v := range raw.Data[j*raw.Stride : j*raw.Stride+len(a)] {
			square += (a[c] - v) * (a[c] - v)
		}
		e := math.Sqrt(square) - want
		lost, total = lost+e*e, total+want*want
	}
	return lost, total
}

func placeByStress(m *Map, dst []float64, at *View) {
	d, largest := make([]float64, len(at.Squares)), 0.0
	for i, s := range at.Squares {
		d[i] = math.Sqrt(s)
		largest = max(largest, d[i])
	}
	m.expand(dst, at.Squares) // classical scaling places it here
	next := make([]float64, len(dst))
	for range placeSteps {
		guttman(next, dst, m.Coordinates, d, 1)
		moved := 0.0
		for j, v := range next {
			moved = max(moved, math.Abs(v-dst[j]))
		}
		copy(dst, next)
		if moved <= placeSettled*largest {
			return
		}
	}
}
