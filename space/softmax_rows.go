package space

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

// SoftmaxCovariances calls do with the m×m covariance of the predictors f(xᵢ) + b of each row, in
// the order of the rows: what they move per unit of their gradients. It is to [Coupling] what
// [Factor.Variances] is to [Space.Weigh]. do must not keep cov.
//
// H is the Hessian of [Coupling.WeighSoftmax], Wᵢ the weight of row i. Constants b, where they are
// free, have the sum 0: the others change no probability. The columns of Z (m×(m−1)) are a basis of
// them. With F_b the regression of the constant Z_b on f,
//
//	cov = φᵢᵀH⁻¹φᵢ + GᵢS⁻¹Gᵢᵀ,  Gᵢ = Z − F(xᵢ),  S = Σᵢ ZᵀWᵢGᵢ
//
// (Rasmussen and Williams, Gaussian Processes for Machine Learning, sections 2.7 and 3.5). Cost:
// that of WeighSoftmax, m − 1 solves with its factor, and [Coupled.CovariancesAt] of all rows.
func SoftmaxCovariances(ctx context.Context, s Space, v []float64, p *mat.Dense, ridge float64, constant bool, do func(i int, cov *mat.SymDense) error) error {
	in, ok := s.(coupledRows)
	if !ok {
		return fmt.Errorf("space: a %T does not couple functions", s)
	}
	f, err := in.WeighSoftmax(ctx, v, p, ridge)
	if err != nil {
		return err
	}
	var free *freeConstants
	if constant {
		if free, err = newFreeConstants(ctx, s, f.(coupledRegression), v, p); err != nil {
			return err
		}
	}
	_, m := p.Dims()
	return in.eachCross(ctx, max(1, varianceBlock/m), func(from int, prior []float64, cross *mat.Dense) error {
		covs, _, err := f.CovariancesAt(ctx, prior, cross)
		if err != nil {
			return err
		}
		for i, cov := range covs {
			cov.ScaleSym(1/ridge, cov)
			if free != nil {
				if err := free.add(ctx, cov, from+i); err != nil {
					return err
				}
			}
			if err := do(from+i, cov); err != nil {
				return err
			}
		}
		return nil
	})
}

// coupledRows is a [Coupling] that knows its own rows as points.
type coupledRows interface {
	Coupling
	// eachCross calls do with the prior variances and the rows of cross of some rows, from row from
	// on, for all rows in their order: see [Coupled.CovariancesAt].
	eachCross(ctx context.Context, some int, do func(from int, prior []float64, cross *mat.Dense) error) error
}

// coupledRegression is a [Coupled] that solves the regression of targets t (n×m), the least
// ½ Σᵢ (f(xᵢ) − tᵢ)ᵀWᵢ(f(xᵢ) − tᵢ) + (R/2)‖f‖². pull is the covector of Σᵢ Wᵢtᵢ.
type coupledRegression interface {
	regress(ctx context.Context, t, pull *mat.Dense) (theta *mat.Dense, err error)
}

// regress is Zt.
func (f *dualCoupled) regress(ctx context.Context, t, _ *mat.Dense) (*mat.Dense, error) {
	theta := mat.DenseCopyOf(t)
	return theta, f.Apply(ctx, theta)
}

// regress is M⁻¹pull.
func (f *CoupledWeights) regress(ctx context.Context, _, pull *mat.Dense) (*mat.Dense, error) {
	byFunction := mat.DenseCopyOf(pull.T()) // weights of a function follow one another
	all := mat.NewDense(f.factor.Dim(), 1, byFunction.RawMatrix().Data)
	if err := f.factor.Solve(ctx, all, all); err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(byFunction.T()), nil
}

func (s *Dual) eachCross(ctx context.Context, some int, do func(from int, prior []float64, cross *mat.Dense) error) error {
	for from := 0; from < s.n; from += some {
		if err := ctx.Err(); err != nil {
			return err
		}
		columns, diag, err := s.columns(ctx, from, min(from+some, s.n))
		if err != nil {
			return err
		}
		if err := do(from, diag, mat.DenseCopyOf(columns.T())); err != nil {
			return err
		}
	}
	return nil
}

func (s *Primal) eachCross(ctx context.Context, some int, do func(from int, prior []float64, cross *mat.Dense) error) error {
	return s.rows.Each(ctx, func(from, to int, phi *mat.Dense) error {
		for at := from; at < to; at += some {
			next := min(at+some, to)
			if err := do(at, make([]float64, next-at), phi.Slice(at-from, next-from, 0, s.dim).(*mat.Dense)); err != nil {
				return err
			}
		}
		return nil
	})
}

// freeConstants is what constants with the sum 0 add to covariances.
type freeConstants struct {
	basis  *mat.Dense       // Z
	values []*mat.Dense     // F_b of the rows
	factor *linalg.Cholesky // of S
}

func newFreeConstants(ctx context.Context, s Space, f coupledRegression, v []float64, p *mat.Dense) (*freeConstants, error) {
	n, m := p.Dims()
	_, coordinates := s.Dims()
	c := &freeConstants{basis: helmert(m)}
	target, weighted := mat.NewDense(n, m, nil), mat.NewDense(n, m, nil)
	for b := range m - 1 {
		for i := range n {
			mat.Col(target.RawRowView(i), b, c.basis)
			softmaxCurvature(weighted.RawRowView(i), v[i], p.RawRowView(i), target.RawRowView(i))
		}
		pull := mat.NewDense(coordinates, m, nil)
		if err := s.Adjoint(ctx, pull, weighted); err != nil {
			return nil, err
		}
		theta, err := f.regress(ctx, target, pull)
		if err != nil {
			return nil, err
		}
		values := mat.NewDense(n, m, nil)
		if err := s.Values(ctx, values, theta); err != nil {
			return nil, err
		}
		c.values = append(c.values, values)
	}
	sum, left, w := mat.NewSymDense(m-1, nil), mat.NewDense(m, m-1, nil), make([]float64, m)
	for i := range n {
		c.left(left, i)
		for b := range m - 1 {
			softmaxCurvature(w, v[i], p.RawRowView(i), mat.Col(nil, b, left))
			for a := range b + 1 {
				sum.SetSym(a, b, sum.At(a, b)+floats.Dot(w, mat.Col(nil, a, c.basis)))
			}
		}
	}
	var err error
	if c.factor, err = linalg.Factor(ctx, sum, 0, linalg.Options{}); err != nil {
		return nil, fmt.Errorf("space: the constants are not determined by the rows: %w", err)
	}
	return c, nil
}

// left stores Gᵢ.
func (c *freeConstants) left(dst *mat.Dense, i int) {
	dst.Copy(c.basis)
	for b, values := range c.values {
		for a, v := range values.RawRowView(i) {
			dst.Set(a, b, dst.At(a, b)-v)
		}
	}
}

// add adds GᵢS⁻¹Gᵢᵀ.
func (c *freeConstants) add(ctx context.Context, cov *mat.SymDense, i int) error {
	left := mat.DenseCopyOf(c.basis)
	c.left(left, i)
	if err := c.factor.Whiten(ctx, left); err != nil {
		return err
	}
	cov.SymRankK(cov, 1, left)
	return nil
}

// softmaxCurvature stores w(diag p − ppᵀ)x.
func softmaxCurvature(dst []float64, w float64, p, x []float64) {
	mean := floats.Dot(p, x)
	for c, v := range x {
		dst[c] = w * p[c] * (v - mean)
	}
}

// helmert is an orthonormal basis of the vectors with the sum 0: column b has b+1 equal numbers and
// minus their sum.
func helmert(m int) *mat.Dense {
	z := mat.NewDense(m, m-1, nil)
	for b := range m - 1 {
		length := math.Sqrt(float64((b + 1) * (b + 2)))
		for a := range b + 1 {
			z.Set(a, b, 1/length)
		}
		z.Set(b+1, b, -float64(b+1)/length)
	}
	return z
}
