package krr

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
)

// refineTo is the relative residual to which a solution in single precision is refined.
const refineTo = 1e-12

// refinements bounds the products with K in double precision that refine it. A factor
// in single precision that is worth its work needs three to ten.
const refinements = 40

// single factors the packed triangle in single precision and refines the solution by
// conjugate gradients in double precision with the factor as preconditioner: it
// converges also where classical refinement, whose steps it contains, stalls. Where
// single precision is not enough it says so and falls back to double.
func (j *job) single(ctx context.Context) (*Solution, *Report, error) {
	sol, reason, err := j.trySingle(ctx)
	if err != nil || sol != nil {
		return sol, j.report, err
	}
	if err := j.fallBack(ctx, reason, Packed); err != nil {
		return nil, nil, err
	}
	return j.packed(ctx)
}

// trySingle returns the solution, or the reason why single precision has none.
func (j *job) trySingle(ctx context.Context) (sol *Solution, reason string, err error) {
	sys, r := j.sys, j.report
	a, err := j.packSingle(ctx)
	if err != nil {
		return nil, "", err
	}
	j.watch.Lap(&r.Run, "gram")
	shift := sys.shift(r.Ridge)
	f, err := linalg.FactorPackedSingle(ctx, a, shift, j.o.Compute.Within("single").Factoring())
	var np *linalg.NotPositiveDefinite
	if errors.As(err, &np) {
		if err := j.notFinite(ctx, err); err != nil {
			return nil, "", err
		}
		j.watch.Lap(&r.Run, "factor")
		return nil, fmt.Sprintf("the factorization broke down at row %d, whose pivot is %.3g", np.Pivot, np.Value), nil
	} else if err != nil {
		return nil, "", err
	}
	j.watch.Lap(&r.Run, "factor")
	b := sys.rhs()
	x, done, err := linalg.CG(ctx, j.scaled(j.k, shift), b, linalg.CGOptions{
		Tolerance: refineTo, Iterations: refinements, Preconditioner: f.Preconditioner(), Progress: j.o.Compute.Progress, Workers: j.o.Compute.Workers})
	r.Iterations = done.Iterations
	var slow *linalg.NotConverged
	var indefinite *linalg.NegativeCurvature
	switch {
	case errors.As(err, &slow) && done.Residual <= attainable(f.Norm(), x, b):
		r.Warn("the residual %.1e is what rounding in double precision leaves for this matrix", done.Residual)
	case errors.As(err, &slow), errors.As(err, &indefinite):
		j.watch.Lap(&r.Run, "refine")
		return nil, fmt.Sprintf("after %d steps of refinement the residual is %.1e, not %g", done.Iterations, done.Residual, refineTo), nil
	case err != nil:
		return nil, "", err
	}
	r.Residual, r.Condition = done.Residual, f.Condition()
	if err := j.judgeCondition(); err != nil {
		return nil, "", err
	}
	sol = j.finish(x, imageOf(x, b, shift))
	j.watch.Lap(&r.Run, "refine")
	return sol, "", nil
}

// attainable is the relative residual of a solution that is exact for a matrix within
// two units of the last place of norm ‖A‖ of A: no method that stores x in double
// precision promises less.
//
// Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. (2002), theorem 7.1.
func attainable(norm float64, x, b *mat.Dense) float64 {
	_, cols := b.Dims()
	worst := 0.0
	for c := range cols {
		if nb := mat.Norm(b.ColView(c), 2); nb > 0 {
			worst = math.Max(worst, mat.Norm(x.ColView(c), 2)/nb)
		}
	}
	return 0x1p-52 * norm * worst
}

// imageOf returns diag(s)·K·diag(s)·x for a solution x of M x = b: b − shift∘x, up to
// the residual.
func imageOf(x, b *mat.Dense, shift []float64) *mat.Dense {
	kx := mat.DenseCopyOf(b)
	for i, d := range shift {
		row := kx.RawRowView(i)
		for c, v := range x.RawRowView(i) {
			row[c] -= d * v
		}
	}
	return kx
}

// fallBack makes the job one in double precision, says so in the report, and gives the
// memory of the attempt back. It is an error if the solver does not fit in the memory
// limit or, where there is none, in the machine.
func (j *job) fallBack(ctx context.Context, reason string, s Solver) error {
	r := j.report
	debug.FreeOSMemory() // the attempt and its successor together may be more than the machine has
	m, err := compute.Calibrate(ctx, j.o.Compute)
	if err != nil {
		return err
	}
	limit := j.o.Compute.MaxMemory
	if limit == 0 {
		limit = m.Memory
	}
	w := Work{Rows: j.sys.n, Targets: j.sys.m, Solver: s}
	if err := compute.CheckMemory(Plan(w, m, limit), limit); err != nil {
		return fmt.Errorf("krr: single precision is not enough at λ = %g: %s; a larger λ makes it enough, and double precision takes more memory: %w", r.Lambda, reason, err)
	}
	r.Warn("single precision is not enough: %s; solved in double precision instead", reason)
	r.Precision, r.Iterations = compute.Double.String(), 0
	return nil
}
