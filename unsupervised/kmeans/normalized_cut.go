package kmeans

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/model"
)

// CutKernel returns the matrix aᵢⱼ/(dᵢdⱼ). On it, with the degrees dᵢ for weights, the objective
// of [Solve] is the normalised cut of the graph with the affinities a, up to a constant:
//
//	Σ aᵢᵢ/dᵢ − k + Ncut,  Ncut = Σ_j (1 − Σ_{i,l∈j} aᵢₗ / Σ_{i∈j} dᵢ)
//
// (Dhillon, Guan and Kulis 2004). Where a is positive semidefinite, Solve from the labels of
// [Spectral] therefore never raises the cut.
func CutKernel(a Gram, degrees []float64) Gram {
	s := make([]float64, len(degrees))
	for i, d := range degrees {
		s[i] = 1 / d
	}
	return &scaled{a, s}
}

// NormalizedCut returns the normalised cut Σ_j (1 − Σ_{i,l∈j} aᵢₗ / Σ_{i∈j} dᵢ) of a clustering;
// empty clusters count nothing.
func NormalizedCut(ctx context.Context, a Gram, degrees []float64, labels []int) (float64, error) {
	return weightedCut(ctx, a, degrees, slices.Repeat([]float64{1}, len(degrees)), labels)
}

// weightedCut is the cut of the graph in which every row stands wᵢ times.
func weightedCut(ctx context.Context, a Gram, degrees, weights []float64, labels []int) (float64, error) {
	if len(labels) != len(degrees) || len(labels) == 0 {
		return 0, fmt.Errorf("kmeans: %d labels for the cut of %d nodes", len(labels), len(degrees))
	}
	k := 0
	for i, j := range labels {
		if j < 0 || j >= len(labels) {
			return 0, fmt.Errorf("kmeans: label %d is %d: number the clusters without gaps from 0", i, j)
		}
		k = max(k, j+1)
	}
	members, sums := mat.NewDense(len(labels), k, nil), new(mat.Dense)
	for i, j := range labels {
		members.Set(i, j, weights[i])
	}
	if err := a.Mul(ctx, sums, members); err != nil {
		return 0, err
	}
	inside, volume := make([]float64, k), make([]float64, k)
	for i, j := range labels {
		inside[j] += weights[i] * sums.At(i, j)
		volume[j] += weights[i] * degrees[i]
	}
	cut := 0.0
	for j, v := range volume {
		if v > 0 {
			cut += 1 - inside[j]/v
		}
	}
	return cut, nil
}

// Graph is the affinities a ≥ 0 of n nodes: [Affinities] or [Features].
type Graph interface {
	// cut is [SolveCut].
	cut(ctx context.Context, k Range, o Options) (*CutSolution, *SpectralReport, error)
}

// Affinities is a graph of which the matrix of affinities is known, such as a Gram matrix.
type Affinities struct{ Gram }

// CutSolution is a clustering of a graph of which [SolveCut] found no smaller normalised
// cut nearby. With the weights wᵢ of the rows and their degrees dᵢ = Σ_l w_l a(xᵢ, x_l), the
// means of the clusters in the space of [CutKernel] are m_j = Σ_{i∈j} (wᵢdᵢ/s_j) ψ(xᵢ),
// s_j = Σ_{i∈j} wᵢdᵢ.
type CutSolution struct {
	Labels []int
	// Norms are ‖m_j‖² = Σ_{i,l∈j} wᵢw_l a(xᵢ, x_l) / s_j², Masses the s_j.
	Norms, Masses []float64
	weights       []float64
	w             *mat.Dense // weights of features; nil of [Affinities]
}

// Coef returns the n×k coefficients of the functions
//
//	f_j(x) = Σᵢ wᵢ a(x, xᵢ) (2·[i∈j]/s_j − ‖m_j‖²),
//
// of which the largest says to which cluster a node x belongs, old or new. For in the
// space of the kernel a(x, y)/(d(x)d(y)), d(x) = Σᵢ wᵢ a(x, xᵢ), the nearest mean is the
// one with the largest
//
//	2⟨ψ(x), m_j⟩ − ‖m_j‖² = Σ_{i∈j} (2wᵢdᵢ/s_j) a(x, xᵢ)/(d(x)dᵢ) − ‖m_j‖²,
//
// and d(x) > 0 times this is f_j(x): so the degree of a new node cancels, and there is
// no constant. Where x has no affinity to any row all f_j are 0. The column of an empty
// cluster is zero. Of [Features] the coefficients are the m×k weights of the features in f_j.
func (s *CutSolution) Coef() *mat.Dense {
	if s.w != nil {
		return s.w
	}
	c := mat.NewDense(len(s.Labels), len(s.Norms), nil)
	for i, own := range s.Labels {
		for j, norm := range s.Norms {
			if s.Masses[j] > 0 {
				c.Set(i, j, -s.weights[i]*norm)
			}
		}
		if s.Masses[own] > 0 {
			c.Set(i, own, s.weights[i]*(2/s.Masses[own]-s.Norms[own]))
		}
	}
	return c
}

// SolveCut finds a clustering of a graph with a small normalised cut: from the
// labels of [SpectralBetween] by [Solve] on [CutKernel], which never raises the cut where a is
// positive semidefinite.
func SolveCut(ctx context.Context, g Graph, k Range, o Options) (*CutSolution, *SpectralReport, error) {
	return g.cut(ctx, k, o)
}

func (a Affinities) cut(ctx context.Context, k Range, o Options) (*CutSolution, *SpectralReport, error) {
	labels, r, err := SpectralBetween(ctx, a.Gram, k, o)
	if err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	degrees, err := Degrees(ctx, a.Gram, o.Weights)
	if err != nil {
		return nil, nil, err
	}
	rows := o.weights(len(labels))
	masses := slices.Clone(rows)
	for i, d := range degrees {
		masses[i] *= d
	}
	s, refined, err := Solve(ctx, CutKernel(a.Gram, degrees), r.K, Options{MaxIterations: o.MaxIterations, StartLabels: labels, Weights: masses, Compute: o.Compute})
	if err != nil {
		return nil, nil, err
	}
	cut, err := weightedCut(ctx, a.Gram, degrees, rows, s.Labels)
	if err != nil {
		return nil, nil, err
	}
	r.refined(labels, s.Labels, rows, cut, refined, watch)
	return &CutSolution{Labels: s.Labels, Norms: s.Norms, Masses: s.Masses, weights: rows}, r, nil
}

// refined takes over what a refinement of the labels before found.
func (r *SpectralReport) refined(before, after []int, weights []float64, cut float64, by *Report, watch *model.Stopwatch) {
	for i, j := range after {
		if j != before[i] {
			r.Moved++
		}
	}
	r.Relaxed, r.Cut = r.Cut, cut
	r.Warnings = append(r.Warnings, by.Warnings...)
	r.Converged = r.Converged && by.Converged
	r.size(after, weights)
	var clock model.Run
	watch.Lap(&clock, "refine")
	r.Stages, r.Seconds = append(r.Stages, clock.Stages...), r.Seconds+clock.Seconds
}
