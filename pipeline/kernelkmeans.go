package pipeline

import (
	"context"

	"mercer/gram"
	"mercer/kmeans"
)

// KernelKMeans is k-means in the feature space of the kernel. Its options take the row
// weights from the problem.
type KernelKMeans struct {
	kmeans.Options
	// Clusters are the numbers of clusters to choose from, by their silhouettes.
	Clusters kmeans.Range
}

// Name returns "kernel-kmeans".
func (KernelKMeans) Name() string { return "kernel-kmeans" }

func (o KernelKMeans) compute() gram.Options { return o.Compute }

// fit binds rows one by one where the matrix is left as it is: a few that moved are then
// enough for an iteration.
func (o KernelKMeans) fit(ctx context.Context, p *Problem) (*learned, error) {
	if p.Indefinite != "" {
		return p.expand(ctx, o)
	}
	g, storage, err := p.points.clustering(ctx, o.Clusters.Most, o.Compute)
	if err != nil {
		return nil, err
	}
	s, err := o.cluster(ctx, g, storage, p)
	if err != nil {
		return nil, err
	}
	l := &learned{report: s.report, decision: s.decision}
	l.f, l.trained = p.points.expand(s.coef, s.bias)
	return l, nil
}

func (l learning[T]) clustering(ctx context.Context, clusters int, o gram.Options) (gram.Symmetric, string, error) {
	return kmeans.Represent(ctx, l.kernel, l.points, clusters, o)
}

func (o KernelKMeans) solve(ctx context.Context, k gram.Operator, p *Problem) (*solution, error) {
	n, _ := k.Dims()
	g, storage, err := repeated(ctx, k, clusterBytes(n, o.Clusters.Most), o.Compute)
	if err != nil {
		return nil, err
	}
	return o.cluster(ctx, g, storage, p)
}

// cluster solves on a Gram matrix.
func (o KernelKMeans) cluster(ctx context.Context, g gram.Symmetric, storage string, p *Problem) (*solution, error) {
	if err := p.untargeted(o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	chosen, err := p.bySilhouette(ctx, o.Clusters, o.Compute, func(count int) ([]int, float64, error) {
		s, r, err := kmeans.Solve(ctx, g, count, o.Options)
		if err != nil {
			return nil, 0, err
		}
		return s.Labels, r.Objective, nil
	})
	if err != nil {
		return nil, err
	}
	s, r, err := kmeans.Solve(ctx, g, chosen.k, o.Options)
	if err != nil {
		return nil, err
	}
	r.Storage = storage
	chosen.tell(r)
	keep := occupied(r.Masses)
	return &solution{coef: columnsOf(s.Coef(), keep), bias: pick(s.Bias(), keep), decision: clusters(len(keep), ""), report: r}, nil
}

// clusterBytes is what n rows in k clusters take beside a Gram matrix.
func clusterBytes(n, k int) int64 { return 8 * 4 * int64(n) * int64(k) }

func (o KernelKMeans) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	n, _, _ := p.Dims()
	return planRepeated(ctx, p, o, clusterBytes(n, o.Clusters.Most))
}

// planRepeated predicts a method that multiplies many times with the operator of
// [repeated], and holds some bytes beside.
func planRepeated(ctx context.Context, p *Problem, method Method, beside int64) (gram.Plan, error) {
	o := method.compute()
	n, _, _ := p.Dims()
	stored := gram.Repeats(n, beside, o)
	plan, err := planBySample(ctx, p, method, func(n int) int64 {
		if stored {
			return beside + gram.PackedBytes(n, o.Precision)
		}
		return beside
	})
	if err == nil && !stored {
		plan.Notes = append(plan.Notes, "the matrix does not fit: the kernel is computed afresh in every product, which the time does not count")
	}
	return plan, err
}
