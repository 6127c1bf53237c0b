package pipeline

import (
	"context"

	"mercer/gram"
	"mercer/kmeans"
	"mercer/linalg"
)

// Spectral is spectral clustering of the graph whose affinities are the values of the
// kernel, refined to a smaller normalised cut; see [kmeans.SolveCut]. Its options take the row
// weights from the problem.
type Spectral struct {
	kmeans.Options
	// Clusters are the numbers of clusters to choose from, by the eigengap.
	Clusters kmeans.Range
}

var _ = register(plainReport[kmeans.SpectralReport], Spectral{}.Name())

// Name returns "spectral".
func (Spectral) Name() string { return "spectral" }

func (o Spectral) compute() gram.Options { return o.Compute }

func (o Spectral) fit(ctx context.Context, p *Problem) (*learned, error) { return p.expand(ctx, o) }

func (o Spectral) solve(ctx context.Context, k gram.Operator, p *Problem) (*solution, error) {
	if err := p.untargeted(o.Name()); err != nil {
		return nil, err
	}
	n, _ := k.Dims()
	a, storage, err := repeated(ctx, k, spectralBytes(n, o.Clusters.Most), o.Compute)
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	s, r, err := kmeans.SolveCut(ctx, a, o.Clusters, o.Options)
	if err != nil {
		return nil, err
	}
	r.Storage = storage
	keep := occupied(r.Masses)
	return &solution{coef: columnsOf(s.Coef(), keep), bias: make([]float64, len(keep)), decision: clusters(len(keep), ""), report: r}, nil
}

// spectralBytes is what n rows in k clusters take beside the affinities.
func spectralBytes(n, k int) int64 {
	basis, _, _ := linalg.TopDemand(n, k+1)
	return basis + clusterBytes(n, k)
}

func (o Spectral) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	n, _, _ := p.Dims()
	return planRepeated(ctx, p, o, spectralBytes(n, o.Clusters.Most))
}
