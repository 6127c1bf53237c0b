package krr

import (
	"context"
	"math"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// SolveMoments is the fit in explicit features to the rows of sums, whoever the rows were: what
// [Fit] finds in the features with [Primal], for rows that come and go. Weights are those of the
// sums; of the training scores only those of squares are known, and leave-one-out residuals are
// not. D³/3 multiplications and 8D² bytes for D features; the errors are those of [Fit].
func SolveMoments(ctx context.Context, s *moments.Statistics, o Options) (*moments.Solution, *Report, error) {
	c := model.NewChecks("krr")
	o.checkPenalty(c)
	if o.LOO {
		c.Add("leave-one-out residuals need the rows, and sums have none: leave them out")
	}
	if err := c.Err(); err != nil {
		return nil, nil, err
	}
	total := s.Total()
	lambda, ridge := s.Penalties(o.Lambda, o.Ridge)
	r := &Report{N: s.Rows, Targets: s.Targets, Solver: Primal, Why: "sums over the rows are kept, so that rows come and go", Features: s.Features,
		Ridge: ridge, Lambda: lambda, Precision: compute.Double.String()}
	j := &job{o: &o, report: r, watch: model.NewStopwatch()}
	found, err := s.Solve(ctx, ridge, !o.NoIntercept, o.Compute)
	if err != nil {
		return nil, nil, j.notDefinite(err)
	}
	r.Residual, r.Refined, r.Condition, r.Norm2 = found.Residual, true, found.Condition, found.Norm2
	r.Train = &Scores{RMSE: make([]float64, s.Targets), R2: make([]float64, s.Targets)}
	for t, squared := range found.Squared {
		r.Train.RMSE[t] = math.Sqrt(squared / total)
		if found.Spread[t] > 0 {
			r.Train.R2[t] = 1 - squared/found.Spread[t]
		}
	}
	j.watch.Lap(&r.Run, "solve")
	return found, r, j.judgeCondition()
}
