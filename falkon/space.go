package falkon

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/kernel"
	"mercer/linalg"
)

// space is the span of the landmarks in coordinates γ = Lᵀβ, K_mm + jitter·I = LLᵀ, in
// which ‖f‖ = ‖γ‖.
type space struct {
	l      *linalg.Factored
	jitter float64
	scale  float64 // the mean of k(c, c)
	o      linalg.Options
}

// mostJitter is the largest part of the mean of the diagonal that is added to it.
const mostJitter = 1e-6

// newSpace factors K_mm. What is needed on the diagonal to do so grows from the rounding of
// the elements by factors of 100.
func newSpace(ctx context.Context, kmm kernel.Pairs, o gram.Options) (*space, error) {
	m, _ := kmm.Dims()
	s := &space{o: linalg.Options{Workers: o.Workers, Progress: o.Progress}}
	for {
		a, err := gram.PackedOf(ctx, kmm, gram.Options{Workers: o.Workers, Progress: o.Progress})
		if err != nil {
			return nil, err
		}
		s.scale = meanDiagonal(a)
		if bad(s.scale) {
			return nil, fmt.Errorf("falkon: the mean of k(c, c) over the landmarks is %v: it must be a finite number > 0; check the domain of the kernel and the size of its parameters", s.scale)
		}
		s.l, err = linalg.FactorPacked(ctx, a, s.jitter, s.o)
		var indefinite *linalg.NotPositiveDefinite
		switch {
		case err == nil:
			return s, nil
		case !errors.As(err, &indefinite):
			return nil, err
		case s.jitter >= mostJitter*s.scale:
			return nil, fmt.Errorf("falkon: the kernel is not positive definite on the landmarks: %g on the diagonal of K_mm, whose mean is %g, is not enough: %w", s.jitter, s.scale, err)
		}
		s.jitter = math.Max(100*s.jitter, float64(m)*0x1p-52*s.scale)
	}
}

func bad(x float64) bool { return !(x > 0) || math.IsInf(x, 1) }

// meanDiagonal returns trace(A)/m.
func meanDiagonal(a *linalg.Packed) float64 {
	sum := 0.0
	for i := range a.SymmetricDim() {
		sum += a.At(i, i)
	}
	return sum / float64(a.SymmetricDim())
}

// beta returns the coefficients L⁻ᵀγ of functions.
func (s *space) beta(ctx context.Context, gamma *mat.Dense) (*mat.Dense, error) {
	rows := mat.DenseCopyOf(gamma.T())
	if err := s.l.Unwhiten(ctx, rows); err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(rows.T()), nil
}

// covector returns L⁻¹r: the gradient in the coordinates γ of one in the values at the
// landmarks.
func (s *space) covector(ctx context.Context, r *mat.Dense) (*mat.Dense, error) {
	rows := mat.DenseCopyOf(r.T())
	if err := s.l.Whiten(ctx, rows); err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(rows.T()), nil
}

// preconditioner returns C⁻¹ for C = LᵀDL + ridge·I, D = diag(mass): what the rows add to
// the Hessian if the landmarks stand for them, mass[j] being the sum of the curvatures of
// those that landmark j stands for.
func (s *space) preconditioner(ctx context.Context, mass []float64, ridge float64) (linalg.Operator, error) {
	c, err := s.l.Companion(ctx, mass)
	if err != nil {
		return nil, err
	}
	f, err := linalg.FactorPacked(ctx, c, ridge, s.o)
	if err != nil {
		return nil, fmt.Errorf("falkon: the preconditioner at ridge %g: %w", ridge, err)
	}
	return inverse{f}, nil
}

// inverse is the operator that multiplies by A⁻¹.
type inverse struct{ f *linalg.Factored }

func (i inverse) Mul(ctx context.Context, dst, x *mat.Dense) error { return i.f.Solve(ctx, dst, x) }
