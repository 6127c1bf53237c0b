package gp

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/space"
)

// PosteriorCovariance is a process given rows, as far as it does not depend on their targets: by a
// Cholesky factor ([space.Posterior]), by conjugate gradients ([ByCG]), or by a [LowRankCache]. It
// is safe for concurrent use.
type PosteriorCovariance interface {
	// VariancesAt replaces the prior variances k(x, x) in dst by those of f(x) given the rows.
	// cross has a row for each point: the kernel values against the rows, or the features of
	// the point where those are the space. Values that rounding makes negative become zero,
	// and clipped counts them.
	VariancesAt(ctx context.Context, dst []float64, cross *mat.Dense) (clipped int, err error)
	// CovarianceAt replaces the prior covariances of points by those given the rows.
	CovarianceAt(ctx context.Context, prior *mat.SymDense, cross *mat.Dense) error
}

// Condition prepares K + Σ in a space of the rows. It is what a fitted model needs to have its
// variances again: a factor, and with [CG] a preconditioner and a solution for the constant mean.
func Condition(ctx context.Context, s space.Space, o Options) (PosteriorCovariance, error) {
	n, _ := s.Dims()
	k, iterative := operatorOf(s, &o)
	if err := o.validate(n, nil); err != nil {
		return nil, err
	}
	if iterative {
		it, _, err := o.iterate(ctx, k, nil)
		if err != nil || o.Mean == Zero {
			return it, err
		}
		return it, it.constant(ctx)
	}
	s = direct(s)
	a := o.system(n)
	if a.constant {
		if err := s.Centre(ctx, a.v, o.Compute); err != nil {
			return nil, err
		}
	}
	f, _, err := s.Weigh(ctx, a.v, a.ridge, a.constant, nil)
	if err != nil {
		return nil, o.notDefinite(err)
	}
	p, err := posterior(f)
	if err == nil {
		_, err = constantVariance(ctx, s, p) // what is computed when it is first asked for
	}
	return p, err
}

// operatorOf returns the products with K of a space that solves by them, and leaves its solver in
// the options.
func operatorOf(s space.Space, o *Options) (gram.Operator, bool) {
	if c, ok := s.(interface{ Choice() space.Choice }); ok {
		o.Solver = c.Choice().Solver
	}
	k, ok := s.(interface{ Operator() gram.Operator })
	if !ok || o.Solver != CG {
		return nil, false
	}
	return k.Operator(), true
}

// direct returns a space of the same rows with factors in double precision, which evidence and
// variances need.
func direct(s space.Space) space.Space {
	if d, ok := s.(interface{ Direct() space.Space }); ok {
		return d.Direct()
	}
	return s
}

// posterior is the process behind a factor.
func posterior(f space.Factor) (space.Posterior, error) {
	p, ok := f.(space.Posterior)
	if !ok {
		return nil, fmt.Errorf("gp: %T has no variances at other points: take a space of the rows or of features", f)
	}
	return p, nil
}

// constantVariance returns the variance of the constant, 1/1ᵀA⁻¹1: that at a point which has
// nothing to do with the rows, less the prior one. It is 0 where the mean is known.
func constantVariance(ctx context.Context, s space.Space, p space.Posterior) (float64, error) {
	_, coordinates := s.Dims()
	v := []float64{0}
	_, err := p.VariancesAt(ctx, v, mat.NewDense(1, coordinates, nil))
	return v[0], err
}

// system is A = K + Σ as the weighted ridge system of a space, Σᵢᵢ = R/vᵢ.
type system struct {
	v        []float64
	ridge    float64
	constant bool
	// exact says that some rows have noise and others none.
	exact bool
}

// noNoise is the part of the least noise that stands for none in a row among rows with noise.
const noNoise = 0x1p-100

// system returns R and v for n rows: σ² where there is one, so that v are the weights if no row has
// noise of its own, else the least noise of a row.
func (o *Options) system(n int) system {
	a := system{v: make([]float64, n), ridge: o.Noise, constant: o.Mean != Zero}
	if o.Noise == 0 {
		least := math.Inf(1)
		for i := range n {
			if !o.on(i) {
				continue
			}
			if s := o.noise(i) / o.weight(i); s > 0 {
				least = min(least, s)
			} else {
				a.exact = true
			}
		}
		switch {
		case math.IsInf(least, 1):
			a.exact = false
		case a.exact:
			a.ridge = noNoise * least
		default:
			a.ridge = least
		}
	}
	for i := range a.v {
		switch w := o.weight(i); {
		case o.RowNoise == nil || w == 0 || o.noise(i) == 0:
			a.v[i] = w
		default:
			a.v[i] = w * (a.ridge / o.noise(i))
		}
	}
	return a
}

// logDet returns ln|A| over the rows of positive weight, from that of V^½KV^½ + R·I with the
// constant, whose variance is given.
func (a *system) logDet(whole, constantVariance float64) float64 {
	for _, v := range a.v {
		switch {
		case v > 0 && v != 1:
			whole -= math.Log(v)
		case v == 0 && a.ridge > 0:
			whole -= math.Log(a.ridge)
		}
	}
	if a.constant {
		whole += math.Log(constantVariance)
	}
	return whole
}

// lower returns the Cholesky factor of A from that of M = V^½KV^½ + R·I, and back if that is asked
// for: A = V^-½MV^-½ but in rows of weight zero, which are rows of the identity.
func (a *system) lower(l *linalg.UpdatableFactor, back bool) *linalg.UpdatableFactor {
	rows := l.Rows()
	for i, v := range a.v {
		scale := 1 / math.Sqrt(v)
		if v == 0 {
			scale = 1
			if a.ridge > 0 {
				scale = 1 / math.Sqrt(a.ridge)
			}
		}
		if back {
			scale = 1 / scale
		}
		if scale != 1 {
			floats.Scale(scale, rows[i*(i+1)/2:(i+1)*(i+2)/2])
		}
	}
	return l
}

// notDefinite explains a failed factorization.
func (o *Options) notDefinite(err error) error {
	var np *linalg.NotPositiveDefinite
	if errors.As(err, &np) {
		return fmt.Errorf("gp: K + Σ is not positive definite at noise %g: rows may repeat, or the kernel is not positive definite on them, or the noise is below the rounding of its values; give a larger noise: %w", o.Noise, err)
	}
	return err
}

// singular is the product of condition, order and unit of rounding from which on a
// factor says nothing.
const singular = 1

// checkSingular refuses to interpolate where A is numerically singular even though the
// factorization went through.
func (a *system) checkSingular(condition float64) error {
	if n := float64(len(a.v)); a.ridge == 0 && condition*0x1p-52*n > singular {
		return fmt.Errorf("gp: there is no noise, and the Gram matrix is numerically singular (condition %.1e): rows may repeat, or the kernel is too smooth for them; give a noise > 0", condition)
	}
	return nil
}
