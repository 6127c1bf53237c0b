package pipeline

import (
	"context"

	"example.org/mercer/gram"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// byWeights is a method that learns weights of explicit features where these are fewer than the
// rows, and else coefficients of the rows.
type byWeights interface {
	indexed
	// solveFeatures is solve in features of the rows: the coefficients are those of the features.
	solveFeatures(ctx context.Context, phi gram.Design, p *task.Task) (*solution, error)
}

// explicit returns why a method that learns in explicit features, where they are fewer than the
// rows, cannot here; dual says that it is not to.
func whyNotExplicit(p *task.Task, dual bool) string {
	if _, primal := p.Points.ChoosePrimal(krr.Auto); dual || !primal {
		return gramOfRows
	}
	return ""
}

// fitInSmaller runs a method in explicit features where they are fewer than the rows, and else on
// the Gram matrix.
func fitInSmaller(ctx context.Context, p *task.Task, m byWeights) (*learned, error) {
	phi, explicit, err := p.Design()
	if err != nil {
		return nil, err
	}
	if !explicit {
		return fitOnGram(ctx, p, m)
	}
	s, err := m.solveFeatures(ctx, phi, p)
	if err != nil {
		return nil, err
	}
	f, err := p.Points.Primal(s.coef, s.bias)
	return &learned{f: f, decision: s.decision, report: s.report}, err
}
