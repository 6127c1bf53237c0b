package space

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
	"example.org/mercer/model"
)

// iterative solves by preconditioned conjugate gradients. What it cannot reach is an error, not a
// warning: half-converged coefficients are not the exact solution that was asked for.
type iterative struct {
	*matrix
	k   gram.Operator   // at the precision that was asked for
	pre linalg.Operator // nil: none
}

// iterate prepares conjugate gradients: the preconditioner, and the triangle of K where it is
// held.
func (m *matrix) iterate(ctx context.Context, watch *model.Stopwatch, q *Quality) (solver, error) {
	f := &iterative{matrix: m}
	var err error
	if f.pre, err = m.precondition(ctx); err != nil {
		return nil, err
	}
	watch.Lap(&q.Run, "preconditioner")
	if f.k, err = m.space.heldOperator(ctx); err != nil {
		return nil, err
	}
	watch.Lap(&q.Run, "gram")
	return f, nil
}

func (f *iterative) stage() string { return "conjugate gradients" }

// apart: rows whose weight is small beside the ridge.
func (f *iterative) apart() float64 { return 1 }

func (f *iterative) solve(ctx context.Context, b *mat.Dense, q *Quality) (*mat.Dense, error) {
	o := f.space.o
	a := f.on(gram.Checkpointed(f.k, o.Compute), f.shift)
	solve := f.inDouble
	if q.Precision == compute.Single.String() {
		solve = f.inSingle
	}
	x, done, err := solve(ctx, a, b, q)
	q.Iterations, q.Residual = done.Iterations, done.Residual
	return x, err
}

// inDouble solves a·x = b for an operator in double precision.
func (f *iterative) inDouble(ctx context.Context, a gram.Shifted, b *mat.Dense, _ *Quality) (*mat.Dense, linalg.CGReport, error) {
	o := f.space.o
	return linalg.CG(ctx, a, b, linalg.CGOptions{Tolerance: o.tolerance(), Preconditioner: f.pre, Progress: o.Compute.Progress, Workers: o.Compute.Workers})
}

// inSingle solves with products by an operator in single precision, as the
// preconditioner of a few steps in double precision, which certify the residual. Where
// they do not reach it, it says so and falls back to double precision.
func (f *iterative) inSingle(ctx context.Context, a gram.Shifted, b *mat.Dense, q *Quality) (*mat.Dense, linalg.CGReport, error) {
	o := f.space.o
	inside := &inner{a: a, pre: f.pre, tolerance: innerTolerance(o.tolerance()), compute: &o.Compute}
	exact := f.on(gram.Checkpointed(f.space.op, o.Compute), a.Shift)
	x, done, err := linalg.CG(ctx, exact, b, linalg.CGOptions{Tolerance: o.tolerance(), Iterations: refinements, Preconditioner: inside, Workers: o.Compute.Workers})
	q.SingleProducts = inside.products
	if !isStuck(err) {
		return x, done, err
	}
	q.fellBack(fmt.Sprintf("after %d products in double precision and %d in single the residual is %.1e, not %g", done.Iterations, inside.products, done.Residual, o.tolerance()))
	f.k = f.space.op
	return f.inDouble(ctx, exact, b, q)
}

// inner is the preconditioner of [CG] in single precision: conjugate gradients of their
// own, whose products have single and whose vectors double precision.
type inner struct {
	a         gram.Shifted
	pre       linalg.Operator
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

// HoldsTriangle reports whether [CG] keeps the triangle of K of n rows in memory.
func HoldsTriangle(n int, p compute.Precision, limit int64) bool {
	return compute.FitsInMemory(gram.PackedBytes(n, p), limit)
}

// heldOperator returns K at the precision that was asked for, with its triangle in memory
// where that is held.
func (s *Dual) heldOperator(ctx context.Context) (gram.Operator, error) {
	how := s.o.Compute
	pairs, err := s.pairs()
	_, stored := s.op.(*gram.Matrix)
	held := HoldsTriangle(s.n, how.Precision, how.MaxMemory)
	switch {
	case s.held != nil:
	case how.Precision == compute.Double && (err != nil || stored || !held):
		return s.op, nil
	case err != nil:
		return nil, err
	case !held:
		return gram.Of(pairs, how), nil
	default:
		s.held, err = gram.TriangleOf(ctx, pairs, how)
		return s.held, err
	}
	return s.held, nil
}

// precondition returns the preconditioner of [gram.Shifted.Precondition]. It needs single
// elements of K and R > 0; else there is none.
func (m *matrix) precondition(ctx context.Context) (linalg.Operator, error) {
	pairs, err := m.space.pairs()
	if err != nil || m.ridge == 0 {
		return nil, nil // products alone, or no ridge: plain conjugate gradients
	}
	o := m.space.o
	p, err := m.on(nil, m.shift).Precondition(ctx, pairs, cmp.Or(o.Rank, gram.PreconditionerRank(m.space.n)), o.Compute)
	if err != nil {
		return nil, fmt.Errorf("space: solver cg: %w", err)
	}
	if p == nil {
		return nil, nil // K is not positive semidefinite, and M may still be definite
	}
	return p, nil
}
