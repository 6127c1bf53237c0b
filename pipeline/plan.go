package pipeline

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/krr"
)

// Plan predicts memory and time of [Problem.Fit] on this machine: it times a few
// tiles of this very kernel on these very rows.
func (p *Problem) Plan(ctx context.Context, o krr.Options) (gram.Plan, error) {
	machine, err := gram.Calibrate(ctx, o.Compute)
	if err != nil {
		return gram.Plan{}, err
	}
	if machine.PairRate, err = gram.PairRate(ctx, p.Pairs(), o.Compute); err != nil {
		return gram.Plan{}, err
	}
	n, features, outputs := p.Dims()
	if p.points.kind() != onVectors {
		features = 0
	}
	work := krr.Work{Rows: n, Columns: features, Targets: outputs, LOO: o.LOO, Solver: o.Solver}
	work.Features, _ = p.points.choosePrimal(o.Solver)
	if o.Solver == krr.CG && p.Rows.Y != nil {
		// That it does not converge there is for the fit to say.
		if work.Iterations, err = p.points.trial(ctx, p.Rows.Y, p.weigh(o)); ctx.Err() != nil {
			return gram.Plan{}, err
		}
	}
	return krr.Plan(work, machine, o.Compute.MaxMemory), nil
}

func (l learning[T]) choosePrimal(s krr.Solver) (dim int, primal bool) {
	return krr.ChoosePrimal(l.kernel, l.points, s)
}

func (l learning[T]) trial(ctx context.Context, y *mat.Dense, o krr.Options) (int, error) {
	return krr.TrialIterations(ctx, l.kernel, l.points, y, o)
}
