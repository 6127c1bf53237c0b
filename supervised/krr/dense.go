package krr

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
)

// refineAbove is the relative residual above which one step of iterative refinement
// is made.
const refineAbove = 1e-12

// illConditioned is the condition number beyond which a report warns: 1e-16·1e12
// leaves four digits to the coefficients. Predictions keep more, because the
// directions that are lost hardly act on them.
const illConditioned = 1e12

// factor is a Cholesky factorization of M, dense or packed.
type factor interface {
	Solve(ctx context.Context, dst, b *mat.Dense) error
	LogDet() float64
	InverseDiag(ctx context.Context, dst []float64) error
	Condition() float64
}

// materialize returns K in storage that may be overwritten, checked to be finite.
func materialize(ctx context.Context, k gram.Operator, o compute.Options) (*mat.SymDense, error) {
	a, err := gram.Materialize(ctx, k, o)
	if err != nil {
		return nil, err
	}
	if m, ok := k.(*gram.Matrix); ok && m.K == a {
		a = mat.NewSymDense(a.SymmetricDim(), nil)
		a.CopySym(m.K)
	}
	raw := a.RawSymmetric()
	for i := range raw.N {
		for j, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+raw.N] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, infinite(i, i+j, v)
			}
		}
	}
	return a, nil
}

// cholesky solves by a dense Cholesky factorization; K stays readable in the upper
// triangle, so that the residual is computed from scratch without a second copy.
func (j *job) cholesky(ctx context.Context) (*Solution, *Report, error) {
	a, err := materialize(ctx, j.k, j.o.Compute)
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&j.report.Run, "gram")
	j.sys.scale(a)
	f, err := linalg.FactorDiag(ctx, a, j.sys.shift(j.report.Ridge), j.o.Compute.Factoring())
	if err != nil {
		return nil, nil, j.notDefinite(err)
	}
	j.watch.Lap(&j.report.Run, "factor")
	scaled := gram.Of(gram.FromMatrix(a).Pairs(), compute.Options{Workers: j.o.Compute.Workers})
	return j.direct(ctx, f, scaled.Mul)
}

// direct finishes a solve with a factorization f of M; apply multiplies with
// diag(s)·K·diag(s).
func (j *job) direct(ctx context.Context, f factor, apply func(ctx context.Context, dst, x *mat.Dense) error) (*Solution, *Report, error) {
	sys, r := j.sys, j.report
	b := sys.rhs()
	x, kx := mat.NewDense(sys.n, sys.columns(), nil), mat.NewDense(sys.n, sys.columns(), nil)
	if err := f.Solve(ctx, x, b); err != nil {
		return nil, nil, err
	}
	shift, rest := sys.shift(r.Ridge), mat.NewDense(sys.n, sys.columns(), nil)
	check := func() error {
		if err := apply(ctx, kx, x); err != nil {
			return err
		}
		r.Residual = residual(rest, b, kx, x, shift)
		return nil
	}
	if err := check(); err != nil {
		return nil, nil, err
	}
	if r.Residual > refineAbove {
		step := mat.NewDense(sys.n, sys.columns(), nil)
		if err := f.Solve(ctx, step, rest); err != nil {
			return nil, nil, err
		}
		x.Add(x, step)
		r.Refined = true
		if err := check(); err != nil {
			return nil, nil, err
		}
	}
	j.watch.Lap(&r.Run, "solve")
	r.Condition = f.Condition()
	if err := j.judgeCondition(); err != nil {
		return nil, nil, err
	}
	sol := j.finish(x, kx)
	if j.o.LOO {
		diag := make([]float64, sys.n)
		err := f.InverseDiag(ctx, diag)
		if err == nil {
			r.Point, err = sys.point(r.Ridge, x, diag, f.LogDet(), multiplier(ctx, j.k))
		}
		if err != nil {
			return nil, nil, err
		}
		j.watch.Lap(&r.Run, "leave-one-out")
	}
	return sol, r, nil
}

// residual stores rest = b − kx − shift∘x and returns the largest ‖rest‖/‖b‖ of a
// column; a column b = 0 counts as met.
func residual(rest, b, kx, x *mat.Dense, shift []float64) float64 {
	_, cols := b.Dims()
	above, below := make([]float64, cols), make([]float64, cols)
	for i, d := range shift {
		out, rb, rk, rx := rest.RawRowView(i), b.RawRowView(i), kx.RawRowView(i), x.RawRowView(i)
		for c := range out {
			out[c] = rb[c] - rk[c] - d*rx[c]
			above[c] += out[c] * out[c]
			below[c] += rb[c] * rb[c]
		}
	}
	worst := 0.0
	for c := range above {
		if below[c] > 0 {
			worst = max(worst, math.Sqrt(above[c]/below[c]))
		}
	}
	return worst
}

// judgeCondition warns of an ill-conditioned system, and refuses to interpolate
// where K is numerically singular even though the factorization went through.
func (j *job) judgeCondition() error {
	r := j.report
	const eps = 0x1p-52
	switch {
	case r.Ridge == 0 && r.Condition*eps*float64(r.N) > 1:
		return fmt.Errorf("krr: λ = 0 asks for interpolation, which needs a positive definite Gram matrix, and this one is numerically singular (condition %.1e): rows may repeat, or the kernel is too smooth for them; give a λ > 0", r.Condition)
	case r.Condition > illConditioned:
		r.Warn("the system is ill-conditioned (condition %.1e): coefficients carry about %d digits; a larger λ or a narrower kernel helps", r.Condition, max(0, int(-math.Log10(r.Condition*eps))))
	}
	return nil
}

// notDefinite explains a failed factorization.
func (j *job) notDefinite(err error) error {
	var np *linalg.NotPositiveDefinite
	if !errors.As(err, &np) {
		return err
	}
	if j.report.Ridge == 0 {
		return fmt.Errorf("krr: λ = 0 asks for interpolation, which needs a positive definite Gram matrix; give a λ > 0, or remove repeated rows: %w", err)
	}
	return fmt.Errorf("krr: the system is not positive definite at λ = %g (ridge %g): the kernel is not positive definite on these rows, or λ is below the rounding of its values; give a larger λ: %w", j.report.Lambda, j.report.Ridge, err)
}

func linalgOptions(o compute.Options) linalg.Options {
	return linalg.Options{Workers: o.Workers, Progress: o.Progress}
}
