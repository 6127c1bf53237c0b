package krr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
)

// scaled is diag(s)·K·diag(s) + diag(shift) by an operator of K.
func (j *job) scaled(k linalg.Operator, shift []float64) gram.Shifted {
	return gram.Shifted{K: k, Scale: j.sys.s, Shift: shift}
}

// apply stores diag(s)·K·diag(s)·x in dst, in double precision.
func (j *job) apply(ctx context.Context, dst, x *mat.Dense) error {
	return j.scaled(j.k, nil).Mul(ctx, dst, x)
}

// cg solves by conjugate gradients. What it cannot reach is an error, not a warning:
// half-converged coefficients are not the exact solution that was asked for.
func (j *job) cg(ctx context.Context) (*Solution, *Report, error) {
	sys, r := j.sys, j.report
	r.Tolerance = j.o.tolerance()
	b, shift := sys.rhs(), sys.shift(r.Ridge)
	pre, err := j.precondition(ctx, shift)
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&r.Run, "preconditioner")
	k, err := j.operator(ctx)
	if err != nil {
		return nil, nil, err
	}
	solve := j.cgDouble
	if j.o.Compute.Precision == compute.Single {
		solve = j.cgSingle
	}
	x, done, err := solve(ctx, j.scaled(gram.Checkpointed(k, j.o.Compute), shift), pre, b)
	r.Iterations, r.Residual = done.Iterations, done.Residual
	if err != nil {
		return nil, nil, j.explainCG(err)
	}
	sol := j.finish(x, imageOf(x, b, shift))
	j.watch.Lap(&r.Run, "conjugate gradients")
	return sol, r, nil
}

// cgDouble solves a·x = b for an operator in double precision.
func (j *job) cgDouble(ctx context.Context, a gram.Shifted, pre linalg.Operator, b *mat.Dense) (*mat.Dense, linalg.CGReport, error) {
	return linalg.CG(ctx, a, b, linalg.CGOptions{Tolerance: j.o.tolerance(), Preconditioner: pre, Progress: j.o.Compute.Progress, Workers: j.o.Compute.Workers})
}

// cgSingle solves with products by an operator in single precision, as the
// preconditioner of a few steps in double precision, which certify the residual. Where
// they do not reach it, it says so and falls back to double precision.
func (j *job) cgSingle(ctx context.Context, a gram.Shifted, pre linalg.Operator, b *mat.Dense) (*mat.Dense, linalg.CGReport, error) {
	inside := &inner{a: a, pre: pre, tolerance: innerTolerance(j.o.tolerance()), compute: &j.o.Compute}
	exact := j.scaled(gram.Checkpointed(j.k, j.o.Compute), a.Shift)
	x, done, err := linalg.CG(ctx, exact, b, linalg.CGOptions{Tolerance: j.o.tolerance(), Iterations: refinements, Preconditioner: inside, Workers: j.o.Compute.Workers})
	j.report.SingleProducts = inside.products
	if !isStuck(err) {
		return x, done, err
	}
	reason := fmt.Sprintf("after %d products in double precision and %d in single the residual is %.1e, not %g", done.Iterations, inside.products, done.Residual, j.o.tolerance())
	if err := j.fallBack(ctx, reason, CG); err != nil {
		return x, done, err
	}
	return j.cgDouble(ctx, exact, pre, b)
}

// inner is the preconditioner of [CG] in single precision: conjugate gradients of their
// own, whose products have single and whose vectors double precision.
type inner struct {
	a, pre    linalg.Operator
	tolerance float64
	compute   *compute.Options
	products  int
}

// innerTolerance returns the relative residual at which they stop: such that three outer
// steps reach the tolerance, and above what products in single precision attain for most
// matrices, so that two are rarely enough for 1e-10.
func innerTolerance(tolerance float64) float64 { return max(math.Cbrt(tolerance)/4, 1e-6) }

// innerIterations bounds them: a flexible outer iteration makes use of what they reach.
const innerIterations = 500

// Mul stores an approximate solution of a·dst = x in dst.
func (in *inner) Mul(ctx context.Context, dst, x *mat.Dense) error {
	y, done, err := linalg.CG(ctx, in.a, x, linalg.CGOptions{Tolerance: in.tolerance, Iterations: innerIterations, Preconditioner: in.pre, Progress: in.compute.Progress, Workers: in.compute.Workers, Unchecked: true})
	in.products += done.Iterations
	if err != nil && !isStuck(err) {
		return err
	}
	dst.Copy(y)
	return nil
}

// isStuck reports whether conjugate gradients ended before their tolerance.
func isStuck(err error) bool {
	var slow *linalg.NotConverged
	var indefinite *linalg.NegativeCurvature
	return errors.As(err, &slow) || errors.As(err, &indefinite)
}

// holds reports whether [CG] keeps the triangle of K in memory.
func holds(n int, p compute.Precision, limit int64) bool {
	return compute.FitsInMemory(gram.PackedBytes(n, p), limit)
}

// operator returns K at the precision that was asked for, with its triangle in memory
// where that is held.
func (j *job) operator(ctx context.Context) (gram.Operator, error) {
	how := j.o.Compute
	pairs, err := j.pairs()
	_, stored := j.k.(*gram.Matrix)
	held := holds(j.sys.n, how.Precision, how.MaxMemory)
	switch {
	case how.Precision == compute.Double && (err != nil || stored || !held):
		return j.k, nil
	case err != nil:
		return nil, err
	case !held:
		return gram.Of(pairs, how), nil
	}
	defer j.watch.Lap(&j.report.Run, "gram")
	return gram.TriangleOf(ctx, pairs, how)
}

// precondition returns the preconditioner of [gram.Shifted.Precondition]. It needs single
// elements of K and R > 0; else there is none.
func (j *job) precondition(ctx context.Context, shift []float64) (linalg.Operator, error) {
	pairs, err := j.pairs()
	if err != nil || j.report.Ridge == 0 {
		return nil, nil // products alone, or no ridge: plain conjugate gradients
	}
	p, err := j.scaled(nil, shift).Precondition(ctx, pairs, cmp.Or(j.o.rank, gram.PreconditionerRank(j.sys.n)), j.o.Compute)
	if err != nil {
		return nil, fmt.Errorf("krr: solver cg: %w", err)
	}
	if p == nil {
		return nil, nil // K is not positive semidefinite, and M may still be definite
	}
	return p, nil
}

// double returns the computing options in double precision.
func (j *job) double() compute.Options {
	o := j.o.Compute
	o.Precision = compute.Double
	return o
}

func (j *job) explainCG(err error) error {
	var slow *linalg.NotConverged
	var indefinite *linalg.NegativeCurvature
	switch {
	case errors.As(err, &slow):
		return fmt.Errorf("krr: solver cg did not reach the tolerance %g at λ = %g (ridge %g): a larger λ or tolerance makes it converge, solver %q needs neither: %w", j.o.tolerance(), j.report.Lambda, j.report.Ridge, Cholesky, err)
	case errors.As(err, &indefinite):
		return fmt.Errorf("krr: the system is not positive definite at λ = %g (ridge %g); give a larger λ: %w", j.report.Lambda, j.report.Ridge, err)
	}
	return err
}
