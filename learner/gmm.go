package learner

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/gmm"
)

// GMM is a mixture of Gaussians on vectors as they are: on a problem with the kernel linear.
// Its options take the row weights from the problem.
type GMM struct {
	gmm.Options
	gmm.Choices
}

var _ = register(reader{report: plainReport[gmm.Report]}, GMM{}.Name())

// Name returns "gmm".
func (GMM) Name() string { return "gmm" }

// ComputeOptions are those of the fit.
func (o GMM) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o GMM) WithCompute(c compute.Options) Learner {
	o.Compute = c
	return o
}

// fit gives functions that are no expansion in a kernel: the logarithms of the weighted
// densities of the components.
func (o GMM) Fit(ctx context.Context, p *task.Task) (*Fitted, error) {
	if _, err := checkVectors(p, o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	m, r, err := gmm.Choose(ctx, p.Rows.Vectors(), o.Choices, o.Options)
	if err != nil {
		return nil, err
	}
	f := task.Mixture{Gaussians: m.Positive()}
	return &Fitted{Function: f.Any(), Decision: outcome.ForClusters(f.Gaussians.Means.Len(), outcome.Softmax), Report: r}, nil
}

func (o GMM) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	n, d, _ := p.Dims()
	workers := int64(o.Compute.WorkerCount())
	bytes := 8 * int64(o.Most) * int64(d) * (workers*256 + 16*int64(d))
	if p.Streamed() {
		bytes += gmm.PassBytes(n, o.Options)
	}
	plan, err := planRows(ctx, p, o, 1, bytes)
	return p.PlanStreaming(plan), err
}

// passes has no reason against them.
func (GMM) passes(*task.Task) string { return "" }
