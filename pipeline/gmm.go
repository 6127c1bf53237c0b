package pipeline

import (
	"context"

	"mercer/gmm"
	"mercer/gram"
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

func (o GMM) compute() gram.Options { return o.Compute }

// fit gives functions that are no expansion in a kernel: the logarithms of the weighted
// densities of the components.
func (o GMM) fit(ctx context.Context, p *Problem) (*learned, error) {
	if _, err := p.vectors(o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	m, r, err := gmm.Choose(ctx, p.Rows.X, o.Choices, o.Options)
	if err != nil {
		return nil, err
	}
	f := mixture{m.Positive()}
	return &learned{f: f, decision: clusters(f.m.Means.Len(), Softmax), report: r}, nil
}

func (o GMM) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	_, d, _ := p.Dims()
	workers := int64(o.Compute.WorkerCount())
	return planRows(ctx, p, o, 1, 8*int64(o.Most)*int64(d)*(workers*256+16*int64(d)))
}
