package sparsegp

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/supervised/gp"
)

// LandmarkCovariance is a process given rows, as far as it does not depend on their targets: a
// [gp.PosteriorCovariance] whose kernel values are those against the landmarks. It is safe for
// concurrent use.
type LandmarkCovariance struct {
	*landmarks
	approximation Approximation
	b             *linalg.CholeskyFactor // of B = RRᵀ
	pull          []float64              // B⁻¹ΦᵀΛ⁻¹1; nil: the mean is known
	mass          float64                // 1ᵀ(Q + Λ)⁻¹1
}

var _ gp.PosteriorCovariance = (*LandmarkCovariance)(nil)

// State is what a [LandmarkCovariance] consists of beside the landmarks, for a file.
type State struct {
	Approximation Approximation
	Jitter        float64
	// Precision is R, RRᵀ = B = I + ΦᵀΛ⁻¹Φ.
	Precision *linalg.UpdatableFactor
	// Pull is B⁻¹ΦᵀΛ⁻¹1, nil where the mean is known, and Mass 1ᵀ(Q + Λ)⁻¹1.
	Pull []float64
	Mass float64
}

// State returns what a file has to keep: a copy of R.
func (c *LandmarkCovariance) State() State {
	return State{Approximation: c.approximation, Jitter: c.jitter, Precision: c.b.Updatable(), Pull: c.pull, Mass: c.mass}
}

// Restore is the [LandmarkCovariance] of a state on its landmarks, K_mm: m³/3 multiplications.
func Restore(ctx context.Context, pairs kernel.Pairs, s State, o compute.Options) (*LandmarkCovariance, error) {
	if m, _ := pairs.Dims(); s.Precision.Dim() != m || s.Pull != nil && len(s.Pull) != m {
		return nil, fmt.Errorf("sparsegp: a state of %d landmarks, with a pull of %d numbers, for %d landmarks", s.Precision.Dim(), len(s.Pull), m)
	}
	at, err := newLandmarks(ctx, pairs, s.Jitter, o)
	if err != nil {
		return nil, err
	}
	return &LandmarkCovariance{landmarks: at, approximation: s.Approximation, b: s.Precision.CholeskyFactor(linalg.Options{Workers: o.Workers}), pull: s.Pull, mass: s.Mass}, nil
}

// variancePoints is the number of points whose variances are computed together.
const variancePoints = 256

// VariancesAt implements [gp.PosteriorCovariance] for kernel values against the landmarks
// (len(dst)×m): 3m² flops a point.
//
//	k** − ‖φ‖² + ‖R⁻¹φ‖² [+ (1 − 1ᵀ(Q + Λ)⁻¹Φφ)²/1ᵀ(Q + Λ)⁻¹1 with a constant mean]
//
// without the first two terms for [SoR].
func (c *LandmarkCovariance) VariancesAt(ctx context.Context, dst []float64, cross *mat.Dense) (clipped int, err error) {
	for from := 0; from < len(dst); from += variancePoints {
		to := min(from+variancePoints, len(dst))
		s, err := c.split(ctx, cross, from, to)
		if err != nil {
			return 0, err
		}
		for i := range to - from {
			v := square(s.left.RawRowView(i))
			if c.approximation != SoR {
				v += dst[from+i] - square(s.phi.RawRowView(i))
			}
			if s.along != nil {
				v += s.along[i] * s.along[i] / c.mass
			}
			if v < 0 {
				clipped++
			}
			dst[from+i] = math.Max(0, v)
		}
	}
	return clipped, nil
}

// CovarianceAt implements [gp.PosteriorCovariance] for kernel values against the landmarks (points
// × m).
func (c *LandmarkCovariance) CovarianceAt(ctx context.Context, prior *mat.SymDense, cross *mat.Dense) error {
	n := prior.SymmetricDim()
	s, err := c.split(ctx, cross, 0, n)
	if err != nil {
		return err
	}
	explained, left := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	explained.SymOuterK(1, s.phi)
	left.SymOuterK(1, s.left)
	for i := range n {
		for j := i; j < n; j++ {
			v := left.At(i, j)
			if c.approximation != SoR {
				v += prior.At(i, j) - explained.At(i, j)
			}
			if s.along != nil {
				v += s.along[i] * s.along[j] / c.mass
			}
			prior.SetSym(i, j, v)
		}
	}
	return nil
}

// parts are what the variance of points is made of.
type parts struct {
	phi, left *mat.Dense // rows φ and R⁻¹φ
	along     []float64  // 1 − 1ᵀ(Q + Λ)⁻¹Φφ; nil where the mean is known
}

func (c *LandmarkCovariance) split(ctx context.Context, cross *mat.Dense, from, to int) (*parts, error) {
	rows, m := cross.Dims()
	if m != c.l.Dim() || rows < to {
		return nil, fmt.Errorf("sparsegp: kernel values of %d points against %d landmarks, but there are %d points and %d landmarks", rows, m, to, c.l.Dim())
	}
	s := &parts{phi: mat.DenseCopyOf(cross.Slice(from, to, 0, m))}
	if err := c.l.Whiten(ctx, s.phi); err != nil {
		return nil, err
	}
	s.left = mat.DenseCopyOf(s.phi)
	if c.pull != nil {
		s.along = make([]float64, to-from)
		for i := range s.along {
			s.along[i] = 1 - blas64.Dot(vector(s.phi.RawRowView(i)), vector(c.pull))
		}
	}
	return s, c.b.Whiten(ctx, s.left)
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }
