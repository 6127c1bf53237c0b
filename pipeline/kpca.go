package pipeline

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/outcome"
	"example.org/mercer/unsupervised/kpca"
)

// KPCA is kernel principal component analysis: an output for each component, the scores
// of rows along it. Its options take the row weights from the problem. On landmarks or random
// features it is that of the rows of these, see [kpca.FitFeatures].
type KPCA struct{ kpca.Options }

var _ = register(plainReport[kpca.Report], KPCA{}.Name())

// Name returns "kpca".
func (KPCA) Name() string { return "kpca" }

func (o KPCA) compute() compute.Options { return o.Compute }

func (o KPCA) fit(ctx context.Context, p *Problem) (*learned, error) {
	if o.inFeatures(p) {
		return o.fitFeatures(ctx, p)
	}
	l, err := fitOnGram(ctx, p, o)
	if err == nil {
		// The mean of the images is part of what was found; a model on landmarks or features
		// does not keep the rows that it is of.
		l.weighted = !p.featured()
	}
	return l, err
}

// inFeatures reports whether the analysis is that of the features that stand for the kernel: not
// where a solver for a Gram matrix is asked for, or where that is smaller.
func (o KPCA) inFeatures(p *Problem) bool {
	if !p.featured() || o.Origin || o.Solver != "" && o.Solver != kpca.Auto && o.Solver != kpca.Primal {
		return false
	}
	return p.InPasses() || o.Solver == kpca.Primal || p.featureCount() <= p.points.size()
}

func (o KPCA) fitFeatures(ctx context.Context, p *Problem) (*learned, error) {
	if err := p.untargeted(o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	rows, err := p.images(ctx, o.Compute)
	if err != nil {
		return nil, err
	}
	w, bias, r, err := kpca.FitFeatures(ctx, rows, o.Options)
	if err != nil {
		return nil, err
	}
	f, err := p.points.primal(w, bias)
	return &learned{f: f, decision: outcome.ForComponents(r.Components), report: r}, err
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
	return &solution{coef: s.Coef, bias: s.Bias, decision: outcome.ForComponents(r.Components), report: r}, nil
}

func (o KPCA) plan(ctx context.Context, p *Problem) (compute.Plan, error) {
	machine, s, err := p.sizes(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	if o.inFeatures(p) {
		return p.planImages(kpca.PlanFeatures(s.rows, p.featureCount(), p.imageBytes(o.Compute) > 0, o.Options, machine), o.Compute), nil
	}
	return kpca.Plan(s.rows, s.columns, o.Options, machine), nil
}

// kpcaPasses are those of an analysis of features: the first row, the mean, moments, moments in
// the basis found, and residuals.
const kpcaPasses = 4

func (o KPCA) maps(p *Problem) int {
	if o.inFeatures(p) {
		return p.mapsIn(kpcaPasses, o.Compute)
	}
	return 1
}

func (o KPCA) passes(p *Problem) string {
	if !o.inFeatures(p) {
		return gramOfRows
	}
	return ""
}
