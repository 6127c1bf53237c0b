package pipeline

import (
	"context"

	"mercer/gram"
)

// Plan predicts memory and time of [Problem.Fit] on this machine.
func (p *Problem) Plan(ctx context.Context, m Method) (gram.Plan, error) { return m.plan(ctx, p) }

// machine measures this machine, with the tiles of this very kernel on these very rows.
func (p *Problem) machine(ctx context.Context, o gram.Options) (gram.Machine, error) {
	m, err := gram.Calibrate(ctx, o)
	if err != nil {
		return m, err
	}
	return m.WithPairs(ctx, p.Pairs(), o)
}
