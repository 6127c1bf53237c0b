package learner

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kpca"
)

// KPCA is kernel principal component analysis: an output for each component, the scores
// of rows along it. Its options take the row weights from the problem. On landmarks or random
// features it is that of the rows of these, see [kpca.FitFeatures].
type KPCA struct{ kpca.Options }

var _ = register(reader{report: plainReport[kpca.Report]}, KPCA{}.Name())

// Name returns "kpca".
func (KPCA) Name() string { return "kpca" }

// ComputeOptions are those of the fit.
func (o KPCA) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o KPCA) WithCompute(c compute.Options) Learner {
	o.Compute = c
	return o
}

func (o KPCA) Fit(ctx context.Context, p *task.Task) (*Fitted, error) {
	if o.inFeatures(p) {
		return o.fitFeatures(ctx, p)
	}
	l, err := fitOnGram(ctx, p, o)
	if err == nil {
		// The mean of the images is part of what was found; a model on landmarks or features
		// does not keep the rows that it is of.
		if !p.Approximated() {
			l.States = []State{rowWeights{}}
		}
	}
	return l, err
}

// inFeatures reports whether the analysis is that of the features that stand for the kernel: not
// where a solver for a Gram matrix is asked for, or where that is smaller.
func (o KPCA) inFeatures(p *task.Task) bool {
	if !p.Approximated() || o.Origin || o.Solver != "" && o.Solver != kpca.Auto && o.Solver != kpca.Primal {
		return false
	}
	return p.Streamed() || o.Solver == kpca.Primal || p.FeatureCount() <= p.Points.Size()
}

func (o KPCA) fitFeatures(ctx context.Context, p *task.Task) (*Fitted, error) {
	if err := p.Untargeted(o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	rows, err := p.MappedRows(ctx, o.Compute)
	if err != nil {
		return nil, err
	}
	w, bias, r, err := kpca.FitFeatures(ctx, rows, o.Options)
	if err != nil {
		return nil, err
	}
	f, err := p.Points.Primal(w, bias)
	return &Fitted{Function: f, Decision: outcome.ForComponents(r.Components), Report: r}, err
}

func (o KPCA) solve(ctx context.Context, k gram.Operator, p *task.Task) (*solution, error) {
	if err := p.Untargeted(o.Name()); err != nil {
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

func (o KPCA) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	machine, s, err := p.Measure(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	if o.inFeatures(p) {
		return p.PlanMappedRows(kpca.PlanFeatures(s.Rows, p.FeatureCount(), p.MappedBytes(o.Compute) > 0, o.Options, machine), o.Compute), nil
	}
	return kpca.Plan(s.Rows, s.Columns, o.Options, machine), nil
}

// kpcaPasses are those of an analysis of features: the first row, the mean, moments, moments in
// the basis found, and residuals.
const kpcaPasses = 4

func (o KPCA) maps(p *task.Task) int {
	if o.inFeatures(p) {
		return p.MapsIn(kpcaPasses, o.Compute)
	}
	return 1
}

func (o KPCA) passes(p *task.Task) string {
	if !o.inFeatures(p) {
		return gramOfRows
	}
	return ""
}

// rowWeights is the state of a method that needs the weights of its training rows and nothing else
// of them.
type rowWeights struct{}

// Store has nothing to put beside the weights.
func (rowWeights) Store(*Entries) error { return nil }

// Restrict refuses to leave rows out.
func (rowWeights) Restrict() (State, error) { return nil, errLandmarks }

// Weighted holds.
func (rowWeights) Weighted() bool { return true }

// Contents is empty.
func (rowWeights) Contents() []string { return nil }
