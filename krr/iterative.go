package krr

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

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
	x, done, err := linalg.CG(ctx, shifted{j, shift}, b, linalg.CGOptions{Tolerance: j.o.tolerance(), Progress: j.o.Compute.Progress})
	r.Iterations = done.Iterations
	if err != nil {
		return nil, nil, j.explainCG(err)
	}
	j.watch.lap(r, "conjugate gradients")
	kx := mat.NewDense(sys.n, sys.columns(), nil)
	if err := j.apply(ctx, kx, x); err != nil {
		return nil, nil, err
	}
	r.Residual = residual(mat.NewDense(sys.n, sys.columns(), nil), b, kx, x, shift)
	sol := j.finish(x, kx)
	j.watch.lap(r, "residual")
	return sol, r, nil
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
