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

// materialize returns K in storage that may be overwritten, checked to be finite.
func materialize(ctx context.Context, k gram.Operator, o compute.Options) (*mat.SymDense, error) {
	return gram.CopyDense(ctx, k, o)
}

// infinite is the error of a kernel value that no solver can use.
func infinite(i, k int, v float64) error {
	return fmt.Errorf("krr: the kernel of rows %d and %d is %v, not a finite number: check the domain of the kernel and the size of its parameters", i, k, v)
}

// interpolating is the error of a singular matrix that no ridge repairs.
func interpolating(condition float64) error {
	return singular{fmt.Errorf("krr: λ = 0 asks for interpolation, which needs a positive definite Gram matrix, and this one is numerically singular (condition %.1e): rows may repeat, or the kernel is too smooth for them; give a λ > 0", condition)}
}

// explain says what the failure of a factorization or of conjugate gradients means.
func (j *job) explain(err error) error {
	var slow *linalg.NotConverged
	var indefinite *linalg.NegativeCurvature
	switch {
	case errors.As(err, &slow):
		return fmt.Errorf("krr: solver cg did not reach the tolerance %g at λ = %g (ridge %g): a larger λ or tolerance makes it converge, solver %q needs neither: %w", j.o.tolerance(), j.report.Lambda, j.report.Ridge, Cholesky, err)
	case errors.As(err, &indefinite):
		return fmt.Errorf("krr: the system is not positive definite at λ = %g (ridge %g); give a larger λ: %w", j.report.Lambda, j.report.Ridge, err)
	}
	return j.notDefinite(err)
}

// notDefinite explains a failed factorization.
func (j *job) notDefinite(err error) error {
	var np *linalg.NotPositiveDefinite
	if !errors.As(err, &np) {
		return err
	}
	if j.report.Ridge == 0 {
		return singular{fmt.Errorf("krr: λ = 0 asks for interpolation, which needs a positive definite Gram matrix; give a λ > 0, or remove repeated rows: %w", err)}
	}
	return fmt.Errorf("krr: the system is not positive definite at λ = %g (ridge %g): the kernel is not positive definite on these rows, or λ is below the rounding of its values; give a larger λ: %w", j.report.Lambda, j.report.Ridge, err)
}

func linalgOptions(o compute.Options) linalg.Options {
	return linalg.Options{Workers: o.Workers, Progress: o.Progress}
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
