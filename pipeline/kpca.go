package pipeline

import (
	"context"

	"mercer/gram"
	"mercer/kpca"
)

// KPCA is kernel principal component analysis: an output for each component, the scores
// of rows along it. Its options take the row weights from the problem.
type KPCA struct{ kpca.Options }

var _ = register(plainReport[kpca.Report], KPCA{}.Name())

// Name returns "kpca".
func (KPCA) Name() string { return "kpca" }

func (o KPCA) compute() gram.Options { return o.Compute }

func (o KPCA) fit(ctx context.Context, p *Problem) (*learned, error) {
	l, err := p.expand(ctx, o)
	if err == nil {
		// The mean of the images is part of what was found; a model on landmarks or features
		// does not keep the rows that it is of.
		l.weighted = p.Approximation == nil && p.FeatureMap == nil
	}
	return l, err
}

func (o KPCA) solve(ctx context.Context, k gram.Operator, p *Problem) (*solution, error) {
	if err := p.untargeted(o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	s, r, err := kpca.Solve(ctx, k, o.Options)
	if err != nil {
		return nil, err
	}
	if s.Bias == nil { // about the origin
		s.Bias = make([]float64, r.Components)
	}
	return &solution{coef: s.Coef, bias: s.Bias, decision: components(r.Components), report: r}, nil
}

func (o KPCA) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	machine, s, err := p.sizes(ctx, o.Compute)
	if err != nil {
		return gram.Plan{}, err
	}
	return kpca.Plan(s.rows, s.columns, o.Options, machine), nil
}
