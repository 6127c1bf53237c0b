package space

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime/debug"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// refineTo is the relative residual to which a solution in single precision is refined.
const refineTo = 1e-12

// refinements bounds the products with K in double precision that refine it. A factor
// in single precision that is worth its work needs three to ten.
const refinements = 40

// inSingle is a packed factor in single precision. It is the preconditioner of conjugate gradients
// in double precision, which converge also where classical refinement, whose steps they contain,
// stalls. Where single precision is not enough it says so and falls back to double.
type inSingle struct {
	*matrix
	factor *linalg.FactoredSingle
	double solver // once it has fallen back
}

// single factors M in single precision.
func (m *matrix) single(ctx context.Context, watch *model.Stopwatch, q *Quality) (solver, error) {
	pairs, err := m.space.pairs()
	if err != nil {
		return nil, err
	}
	p, err := gram.PackedSingleOf(ctx, m.space.narrow, pairs, m.space.o.Compute)
	if err != nil {
		return nil, err
	}
	m.space.narrow = p
	scalePacked(p, m)
	watch.Lap(&q.Run, "gram")
	f, err := linalg.FactorPackedSingle(ctx, p, m.shift, m.space.o.Compute.Within("single").Factoring())
	watch.Lap(&q.Run, "factor")
	var np *linalg.NotPositiveDefinite
	if errors.As(err, &np) {
		if err := m.notFinite(ctx, pairs, err); err != nil {
			return nil, err
		}
		p, m.space.narrow = nil, nil
		return m.fallBack(ctx, fmt.Sprintf("the factorization broke down at row %d, whose pivot is %.3g", np.Pivot, np.Value), q)
	}
	return &inSingle{matrix: m, factor: f}, err
}

func (f *inSingle) stage() string { return "refine" }

// apart: rows whose weight is small beside the ridge.
func (f *inSingle) apart() float64 { return 1 }

func (f *inSingle) solve(ctx context.Context, b *mat.Dense, q *Quality) (*mat.Dense, error) {
	if f.double != nil {
		return f.double.solve(ctx, b, q)
	}
	o := f.space.o.Compute
	x, done, err := linalg.CG(ctx, f.on(f.space.op, f.shift), b, linalg.CGOptions{
		Tolerance: refineTo, Iterations: refinements, Preconditioner: f.factor.Preconditioner(), Progress: o.Progress, Workers: o.Workers})
	q.Iterations, q.Residual = done.Iterations, done.Residual
	var slow *linalg.NotConverged
	var indefinite *linalg.NegativeCurvature
	switch {
	case errors.As(err, &slow) && done.Residual <= attainable(f.factor.Norm(), x, b):
		q.Warn("the residual %.1e is what rounding in double precision leaves for this matrix", done.Residual)
	case errors.As(err, &slow), errors.As(err, &indefinite):
		f.factor, f.space.narrow = nil, nil
		reason := fmt.Sprintf("after %d steps of refinement the residual is %.1e, not %g", done.Iterations, done.Residual, refineTo)
		if f.double, err = f.fallBack(ctx, reason, q); err != nil {
			return nil, err
		}
		return f.double.solve(ctx, b, q)
	case err != nil:
		return nil, err
	}
	q.Condition = f.factor.Condition()
	return x, nil
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

// fallBack factors in double precision, says so, and gives the memory of the attempt back. It is
// an error if the triangle does not fit into the memory limit or, where there is none, into the
// machine.
func (m *matrix) fallBack(ctx context.Context, reason string, q *Quality) (solver, error) {
	debug.FreeOSMemory() // the attempt and its successor together may be more than the machine has
	machine, err := compute.Calibrate(ctx, m.space.o.Compute)
	if err != nil {
		return nil, err
	}
	limit := m.space.o.Compute.MaxMemory
	if limit == 0 {
		limit = machine.Memory
	}
	plan := compute.NewPlan(string(Packed), machine, gram.PackedGramCost(m.space.n, compute.Double, machine), compute.PackedFactorCost(m.space.n, compute.Double, machine))
	if err := compute.CheckMemory(plan, limit); err != nil {
		return nil, fmt.Errorf("space: single precision is not enough at the ridge R = %g: %s; a larger λ makes it enough, and double precision takes more memory: %w", m.ridge, reason, err)
	}
	q.fellBack(reason)
	return m.packed(ctx, model.NewStopwatch(), q)
}

// fellBack says that single precision was not enough.
func (q *Quality) fellBack(reason string) {
	q.Warn("single precision is not enough: %s; solved in double precision instead", reason)
	q.Precision, q.Iterations, q.Residual = compute.Double.String(), 0, 0
}
