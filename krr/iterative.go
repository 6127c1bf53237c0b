package krr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/kernel"
	"mercer/linalg"
)

// shifted is M = diag(s)·K·diag(s) + diag(shift) as an operator.
type shifted struct {
	job   *job
	shift []float64
}

// Mul stores M·x in dst.
func (a shifted) Mul(ctx context.Context, dst, x *mat.Dense) error {
	if err := a.job.apply(ctx, dst, x); err != nil {
		return err
	}
	for i, d := range a.shift {
		for c, row, v := 0, dst.RawRowView(i), x.RawRowView(i); c < len(row); c++ {
			row[c] += d * v[c]
		}
	}
	return nil
}

// cg solves by conjugate gradients. What it cannot reach is an error, not a warning:
// half-converged coefficients are not the exact solution that was asked for.
func (j *job) cg(ctx context.Context) (*Solution, *Report, error) {
	sys, r := j.sys, j.report
	b, shift := sys.rhs(), sys.shift(r.Ridge)
	pre, err := j.precondition(ctx)
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&r.Run, "preconditioner")
	x, done, err := linalg.CG(ctx, shifted{j, shift}, b, linalg.CGOptions{Tolerance: j.o.tolerance(), Preconditioner: pre, Progress: j.o.Compute.Progress})
	r.Iterations = done.Iterations
	if err != nil {
		return nil, nil, j.explainCG(err)
	}
	j.watch.Lap(&r.Run, "conjugate gradients")
	kx := mat.NewDense(sys.n, sys.columns(), nil)
	if err := j.apply(ctx, kx, x); err != nil {
		return nil, nil, err
	}
	r.Residual = residual(mat.NewDense(sys.n, sys.columns(), nil), b, kx, x, shift)
	sol := j.finish(x, kx)
	j.watch.Lap(&r.Run, "residual")
	return sol, r, nil
}

// preconditionerRank is the largest rank of the preconditioner for n rows: its cost,
// n·rank² ≈ 16n², stays below that of a few products with K.
func preconditionerRank(n int) int { return min(n, 100+4*int(math.Sqrt(float64(n)))) }

// precondition returns (LLᵀ + R·I)⁻¹ with a pivoted Cholesky factor L of low rank of
// diag(s)·K·diag(s). It needs single columns of K, which a [gram.Stream] can give,
// and R > 0; else there is none.
func (j *job) precondition(ctx context.Context) (linalg.Operator, error) {
	stream, ok := j.k.(*gram.Stream)
	if !ok || j.report.Ridge == 0 {
		return nil, nil
	}
	s, diag, trace := j.sys.s, make([]float64, j.sys.n), 0.0
	kernel.Diag(stream.Pairs(), diag)
	for i := range diag {
		diag[i] *= s[i] * s[i]
		trace += diag[i]
	}
	column := func(ctx context.Context, at int, dst []float64) error {
		if err := stream.Rows(ctx, mat.NewDense(1, len(dst), dst), []int{at}); err != nil {
			return err
		}
		for i := range dst {
			dst[i] *= s[at] * s[i]
		}
		return nil
	}
	low, err := linalg.PivotedCholesky(ctx, diag, column, cmp.Or(j.o.rank, preconditionerRank(j.sys.n)), j.report.Ridge/trace)
	if err != nil {
		return nil, fmt.Errorf("krr: preconditioning solver cg: %w", err)
	}
	return linalg.LowRankPreconditioner(low.L, j.report.Ridge)
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
