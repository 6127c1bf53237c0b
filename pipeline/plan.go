package pipeline

import (
	"context"

	"mercer/gram"
	"mercer/krr"
)

// Plan predicts memory and time of [Problem.Fit] on this machine.
func (p *Problem) Plan(ctx context.Context, m Method) (gram.Plan, error) {
	if err := p.passable(m); err != nil {
		return gram.Plan{}, err
	}
	plan, err := m.plan(ctx, p)
	switch {
	case err != nil:
	case p.Approximation != nil:
		ridge, ok := m.(KRR)
		_, _, targets := p.Dims()
		plan = p.Approximation.approximate(plan, targets, ok && plan.Solver == string(krr.Primal) && ridge.sums())
	case p.FeatureMap != nil:
		_, columns, _ := p.Dims()
		plan = p.FeatureMap.approximate(plan, columns)
	}
	return plan, err
}

// machine measures this machine, with the tiles of this very kernel on these very rows.
func (p *Problem) machine(ctx context.Context, o gram.Options) (gram.Machine, error) {
	m, err := gram.Calibrate(ctx, o)
	if err != nil {
		return m, err
	}
	return m.WithPairs(ctx, p.Pairs(), o)
}

// sizes are what the work of a method depends on.
type sizes struct {
	rows     int
	columns  int // numbers in a point; 0 where points are not vectors
	features int // of the kernel's explicit feature map; 0: none
}

// sizes measures this machine, and says how large the problem is.
func (p *Problem) sizes(ctx context.Context, o gram.Options) (gram.Machine, sizes, error) {
	m, err := p.machine(ctx, o)
	var s sizes
	s.rows, s.columns, _ = p.Dims()
	if p.points.kind() != onVectors {
		s.columns = 0
	}
	s.features, _ = p.points.choosePrimal(krr.Auto)
	return m, s, err
}
