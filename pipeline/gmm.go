package pipeline

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

var _ = register(plainReport[gmm.Report], GMM{}.Name())

// Name returns "gmm".
func (GMM) Name() string { return "gmm" }

func (o GMM) compute() compute.Options { return o.Compute }

// fit gives functions that are no expansion in a kernel: the logarithms of the weighted
// densities of the components.
func (o GMM) fit(ctx context.Context, p *task.Task) (*learned, error) {
	if _, err := checkVectors(p, o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	m, r, err := gmm.Choose(ctx, p.Rows.Vectors(), o.Choices, o.Options)
	if err != nil {
		return nil, err
	}
	f := task.Mixture{Gaussians: m.Positive()}
	return &learned{f: f.Any(), decision: outcome.ForClusters(f.Gaussians.Means.Len(), outcome.Softmax), report: r}, nil
}

func (o GMM) plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
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
