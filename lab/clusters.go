package lab

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/unsupervised/gmm"
	"example.org/mercer/unsupervised/kmeans"
)

// clustersScreen divides points of the plane into clusters.
var clustersScreen = screen("clusters", "Clusters", answerClusters)

// clustersRequest asks for a number of clusters by kmeans, kernel-kmeans, spectral or gmm. Steps
// bounds the iterations, so that they can be seen one by one; 0: to the end.
type clustersRequest struct {
	Method   string      `json:"method"`
	Points   [][]float64 `json:"points"`
	Kernel   string      `json:"kernel"`
	Clusters int         `json:"clusters"`
	Steps    int         `json:"steps"`
	Seed     uint64      `json:"seed"`
}

type clustersAnswer struct {
	Labels []int `json:"labels"`
	// Means are those of kmeans and gmm, and Covariances those of gmm, each of three numbers.
	Means       []Numbers `json:"means,omitempty"`
	Covariances []Numbers `json:"covariances,omitempty"`
	Says        string    `json:"says"`
}

// clusterings are the methods of the screen.
var clusterings = map[string]func(ctx context.Context, xs data.Vectors, q clustersRequest, o compute.Options) (*clustersAnswer, error){
	"kmeans": clusterByMeans, "gmm": clusterByMixture, "kernel-kmeans": clusterByKernel, "spectral": clusterBySpectrum,
}

func answerClusters(ctx context.Context, q clustersRequest, o compute.Options) (*clustersAnswer, error) {
	xs, err := points(q.Points, 2)
	if err != nil {
		return nil, err
	}
	if q.Clusters < 1 || q.Clusters > min(10, xs.Len()) || q.Steps < 0 {
		return nil, invalid("%d clusters of %d points in %d steps: there are 1 to 10, and not more than points", q.Clusters, xs.Len(), q.Steps)
	}
	cluster, ok := clusterings[q.Method]
	if !ok {
		return nil, invalid("method %q is not known here; there are kmeans, kernel-kmeans, spectral and gmm", q.Method)
	}
	out, err := cluster(ctx, xs, q, o)
	if err != nil && ctx.Err() == nil {
		return nil, invalid("%v", err)
	}
	return out, err
}

func clusterByMeans(ctx context.Context, xs data.Vectors, q clustersRequest, o compute.Options) (*clustersAnswer, error) {
	c, r, err := kmeans.FitVectors(ctx, xs, q.Clusters, kmeans.Options{Restarts: 1, MaxIterations: q.Steps, Seed: q.Seed, Compute: o})
	if err != nil {
		return nil, err
	}
	return &clustersAnswer{Labels: c.Labels, Means: rowsOf(c.Centres), Says: fmt.Sprintf("Inertia %.4g after %d steps.", r.Objective, r.Iterations)}, nil
}

func clusterByMixture(ctx context.Context, xs data.Vectors, q clustersRequest, o compute.Options) (*clustersAnswer, error) {
	m, r, err := gmm.Fit(ctx, xs, q.Clusters, gmm.Full, gmm.Options{Restarts: 1, MaxIterations: q.Steps, Seed: q.Seed, Compute: o})
	if err != nil {
		return nil, err
	}
	posterior, _, err := m.Posterior(ctx, xs, o.WorkerCount())
	if err != nil {
		return nil, err
	}
	out := &clustersAnswer{Means: rowsOf(m.Means), Says: fmt.Sprintf("Log-likelihood %.5g after %d steps.", r.LogLikelihood, r.Iterations)}
	for i := range xs.Len() {
		best := 0
		for j, p := range posterior.RawRowView(i) {
			if p > posterior.At(i, best) {
				best = j
			}
		}
		out.Labels = append(out.Labels, best)
	}
	for _, c := range m.Covariances {
		out.Covariances = append(out.Covariances, Numbers{c.At(0, 0), c.At(0, 1), c.At(1, 1)})
	}
	return out, nil
}

// affinities returns the Gram matrix of a request.
func affinities(ctx context.Context, xs data.Vectors, q clustersRequest, o compute.Options) (kmeans.Gram, error) {
	k, err := kernelOn(ctx, q.Kernel, xs)
	if err != nil {
		return nil, err
	}
	g, _, err := kmeans.BindGram(ctx, k, xs, q.Clusters, o)
	return g, err
}

func clusterByKernel(ctx context.Context, xs data.Vectors, q clustersRequest, o compute.Options) (*clustersAnswer, error) {
	g, err := affinities(ctx, xs, q, o)
	if err != nil {
		return nil, err
	}
	s, r, err := kmeans.Solve(ctx, g, q.Clusters, kmeans.Options{Restarts: 3, MaxIterations: q.Steps, Seed: q.Seed, Compute: o})
	if err != nil {
		return nil, err
	}
	return &clustersAnswer{Labels: s.Labels, Says: fmt.Sprintf("Inertia in feature space %.4g after %d steps.", r.Objective, r.Iterations)}, nil
}

func clusterBySpectrum(ctx context.Context, xs data.Vectors, q clustersRequest, o compute.Options) (*clustersAnswer, error) {
	g, err := affinities(ctx, xs, q, o)
	if err != nil {
		return nil, err
	}
	labels, r, err := kmeans.Spectral(ctx, g, q.Clusters, kmeans.Options{Seed: q.Seed, Compute: o})
	if err != nil {
		return nil, err
	}
	return &clustersAnswer{Labels: labels, Says: fmt.Sprintf("Normalised cut %.4g.", r.Cut)}, nil
}

// rowsOf returns vectors as lists.
func rowsOf(xs data.Vectors) []Numbers {
	out := make([]Numbers, xs.Len())
	for i := range out {
		out[i] = append(Numbers(nil), xs.At(i)...)
	}
	return out
}
