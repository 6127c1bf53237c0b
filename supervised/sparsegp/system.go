package sparsegp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// system is the process given the rows. With T = [Y 1], the targets less their mean and a
// column of ones, W = B⁻¹ΦᵀΛ⁻¹T and the residuals ρ = T − ΦW,
//
//	TᵀA⁻¹T = ρᵀΛ⁻¹ρ + WᵀW,  A = Q + Λ,
//
// which loses no digits by cancellation: it is the least value of a sum of squares, and errors of
// W enter it by their square.
type system struct {
	*features
	o         *Options
	t         *mat.Dense // T, n×(p+1), zeros in rows of weight zero
	centre    []float64  // of the targets
	invLambda []float64  // 1/Λᵢᵢ, 0 in rows of weight zero
	left      []float64  // dᵢ
	second    *mat.SymDense
	first     *mat.Dense // ΦᵀΛ⁻¹T
	b         *linalg.Cholesky
	w, rho    *mat.Dense // W and ρ; after settle those of Y − μ
	mean      []float64  // μ
	mass      float64    // 1ᵀA⁻¹1
	// complexity is −½ ln|A|, weighting what makes a weight the number of times a row is there.
	complexity, weighting float64
	active                int
}

// solve goes through the rows twice.
func (f *features) solve(ctx context.Context, y *mat.Dense, o *Options) (*system, error) {
	s := &system{features: f, o: o}
	s.prepare(y)
	if err := s.moments(ctx); err != nil {
		return nil, err
	}
	var err error
	// The shift is the identity of B: second itself stays in the upper triangle.
	if s.b, err = linalg.Factor(ctx, s.second, 1, o.linalg()); err != nil {
		return nil, fmt.Errorf("sparsegp: I + ΦᵀΛ⁻¹Φ: the noise is below the rounding of the kernel: give a larger one: %w", err)
	}
	s.complexity -= s.b.LogDet() / 2
	s.w = new(mat.Dense)
	if err := s.b.Solve(ctx, s.w, s.first); err != nil {
		return nil, err
	}
	if err := s.residuals(ctx); err != nil {
		return nil, err
	}
	s.optimizeConstants()
	return s, nil
}

// targets returns their number p.
func (s *system) targets() int { return len(s.centre) }

// weight returns that of row i.
func (s *system) weight(i int) float64 { return model.Weight(s.o.Weights, i) }

// prepare makes T. Targets are centred where the mean is sought, so that a large common offset
// costs no digits.
func (s *system) prepare(y *mat.Dense) {
	n, p := y.Dims()
	s.t, s.centre = mat.NewDense(n, p+1, nil), make([]float64, p)
	for i := range n {
		if s.weight(i) == 0 {
			continue
		}
		s.active++
		for j, v := range y.RawRowView(i) {
			if s.o.constant() {
				s.centre[j] += (v - s.centre[j]) / float64(s.active)
			}
		}
	}
	for i := range n {
		if s.weight(i) == 0 {
			continue
		}
		row := s.t.RawRowView(i)
		for j, v := range y.RawRowView(i) {
			row[j] = v - s.centre[j]
		}
		row[p] = 1
	}
}

// moments sums ΦᵀΛ⁻¹Φ and ΦᵀΛ⁻¹T, and finds Λ on the way.
func (s *system) moments(ctx context.Context) error {
	n, m := s.Dims()
	_, columns := s.t.Dims()
	s.invLambda, s.left = make([]float64, n), make([]float64, n)
	told := s.features.o.Meter("moments", int64(n))
	sums, err := s.Pass(ctx, moments{s.o.approximation(), columns}, func(dst []float64, i int) error {
		dst[0], dst[1], dst[2] = s.weight(i), s.o.noise(i), s.diag[i]
		copy(dst[3:], s.t.RawRowView(i))
		return nil
	}, func(from, to int, left *mat.Dense) error {
		for i := from; i < to; i++ {
			if err := s.weighRow(i, left.At(i-from, 0)); err != nil {
				return err
			}
		}
		told.Add(int64(to - from))
		return nil
	}, s.features.o)
	if err == nil {
		s.second, s.first = mat.NewSymDense(m, sums[:m*m]), mat.NewDense(m, columns, sums[m*m:])
	}
	return err
}

// weighRow notes what landmarks leave of row i, and what it is worth.
func (s *system) weighRow(i int, left float64) error {
	s.left[i] = left
	w := s.weight(i)
	if w == 0 {
		return nil
	}
	noise := s.o.approximation().noise(s.o.noise(i), left)
	if !(noise > 0) {
		return fmt.Errorf("sparsegp: row %d has the noise %v and landmarks leave %v of its variance %v: both are below the rounding of the kernel; give a larger noise", i, s.o.noise(i), left, s.diag[i])
	}
	s.invLambda[i] = w / noise
	s.complexity -= math.Log(noise/w) / 2
	if w != 1 {
		v := 2 * math.Pi * noise
		s.weighting += (math.Log(v/w) - w*math.Log(v)) / 2
	}
	return nil
}

// residuals makes ρ = T − ΦW, zero in rows of weight zero.
func (s *system) residuals(ctx context.Context) error {
	s.rho = mat.DenseCopyOf(s.t)
	told := s.features.o.Meter("residuals", int64(len(s.left)))
	return s.Values(ctx, s.w, s.features.o, func(from, to int, values *mat.Dense) error {
		for i := from; i < to; i++ {
			if s.invLambda[i] == 0 {
				clear(s.rho.RawRowView(i))
				continue
			}
			floats.Sub(s.rho.RawRowView(i), values.RawRowView(i-from))
		}
		told.Add(int64(to - from))
		return nil
	})
}

// optimizeConstants finds the constants of generalised least squares, μ = 1ᵀA⁻¹y/1ᵀA⁻¹1, and makes
// W and ρ those of the targets less these.
func (s *system) optimizeConstants() {
	p := s.targets()
	s.mean = append([]float64(nil), s.centre...)
	s.mass = s.form(p, p)
	if !s.o.constant() {
		return
	}
	for j := range p {
		mu := s.form(j, p) / s.mass
		s.mean[j] += mu
		for _, of := range []*mat.Dense{s.w, s.rho} {
			raw := of.RawMatrix()
			axpy(-mu, column(raw, p), column(raw, j))
		}
	}
}

// form returns element (j, k) of TᵀA⁻¹T.
func (s *system) form(j, k int) float64 {
	rho, w := s.rho.RawMatrix(), s.w.RawMatrix()
	sum := blas64.Dot(column(w, j), column(w, k))
	for i, v := range s.invLambda {
		sum += v * rho.Data[i*rho.Stride+j] * rho.Data[i*rho.Stride+k]
	}
	return sum
}

func column(a blas64.General, j int) blas64.Vector {
	return blas64.Vector{N: a.Rows, Inc: a.Stride, Data: a.Data[j:]}
}

func axpy(by float64, x, y blas64.Vector) { blas64.Axpy(by, x, y) }

// trace is Σ dᵢ/Σᵢᵢ, for approximations whose Λ is Σ.
func (s *system) trace() float64 {
	sum := 0.0
	for i, v := range s.invLambda {
		sum += v * s.left[i]
	}
	return sum
}

// conditioned returns what does not depend on the targets.
func (s *system) conditioned() *LandmarkCovariance {
	c := &LandmarkCovariance{landmarks: s.landmarks, approximation: s.o.approximation(), b: &s.b.CholeskyFactor}
	if s.o.constant() {
		c.pull, c.mass = mat.Col(nil, s.targets(), s.w), s.mass
	}
	return c
}
