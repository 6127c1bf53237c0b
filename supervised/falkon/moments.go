package falkon

import (
	"context"
	"errors"
	"fmt"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/model"
)

// SolveMoments minimises the squared loss by the sums of the rows in the features φ(x) = L⁻¹k(C,
// x), K_mm = LLᵀ, of a Nyström kernel: ‖f‖ = ‖w‖ for f = ⟨w, φ⟩, and the normal equations (ΦᵀWΦ +
// R·I)w = ΦᵀW(y − b) are those of [Solve] in the coordinates γ. Sums of features take nm²
// multiplications three times, where conjugate gradients take 2nm in each pass; but rows can be
// added to them and taken from them. They are solved by a Cholesky factor: m³/3 multiplications and
// 8m² bytes. Passes and tolerance are not used, and weights are those of the sums.
func SolveMoments(ctx context.Context, s *moments.Statistics, o Options) (*moments.Solution, *Report, error) {
	c := model.NewChecks("falkon")
	c.Penalty(o.Lambda, o.Ridge, "landmarks that are alike would leave the minimum undetermined")
	if _, squared := o.lossOf().(loss.Squared); !squared {
		c.Add("the loss %s has no sums of rows from which it is minimised: take the squared loss", o.lossOf())
	}
	if len(o.Stop.Validation) > 0 {
		c.Add("%d rows are left out for validation, and a system that is solved at once has no iteration to end: leave it out", len(o.Stop.Validation))
	}
	if err := c.Err(); err != nil {
		return nil, nil, err
	}
	watch, total := model.NewStopwatch(), s.Total()
	lambda, ridge := s.Penalties(o.Lambda, o.Ridge)
	r := &Report{N: s.Rows, Targets: s.Targets, Loss: loss.Squared{}.String(), Landmarks: s.Features, Lambda: lambda, Ridge: ridge,
		Precision: compute.Double.String(), Steps: 1, Tolerance: o.Stop.tolerance()}
	found, err := s.Solve(ctx, ridge, !o.NoIntercept, o.Compute)
	var indefinite *linalg.NotPositiveDefinite
	if errors.As(err, &indefinite) {
		return nil, nil, fmt.Errorf("falkon: λ = %g is below the rounding of the sums; give a larger λ: %w", r.Lambda, err)
	}
	if err != nil {
		return nil, nil, err
	}
	r.Residual, r.Norm2 = found.Residual, found.Norm2
	r.Converged = r.Residual <= r.Tolerance
	for t, squared := range found.Squared {
		rest := found.Residual * found.Sides[t]
		r.Objective += (squared/2 + ridge/2*found.Norm2[t]) / total
		r.Gap += rest * rest / (2 * ridge) / total
	}
	if !r.Converged {
		r.Warn("the relative residual of the normal equations is %.2e, and %g was asked for: that is what rounding allows at this λ; the objective is at most %.3g above its minimum of about %.6g", r.Residual, r.Tolerance, r.Gap, r.Objective)
	}
	watch.Lap(&r.Run, "solve")
	return found, r, nil
}
