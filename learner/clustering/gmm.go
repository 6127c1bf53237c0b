package clustering

import (
	"context"

	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
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

// Name returns "gmm".
func (GMM) Name() string { return "gmm" }

// ComputeOptions are those of the fit.
func (o GMM) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o GMM) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// Fit gives functions that are no expansion in a kernel: the logarithms of the weighted
// densities of the components.
func (o GMM) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	l, err := p.PlainVectors(o.Name())
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	m, r, err := gmm.Choose(ctx, l.Set.(data.Rows), o.Choices, o.Options)
	if err != nil {
		return nil, err
	}
	f := task.Mixture{Gaussians: m.Positive()}
	return &learner.Fitted{Function: f.Any(), Decision: outcome.ForClusters(f.Gaussians.Means.Len(), outcome.Softmax), Report: r}, nil
}

func (o GMM) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	n, d, _ := p.Dims()
	workers := int64(o.Compute.WorkerCount())
	bytes := 8 * int64(o.Most) * int64(d) * (workers*256 + 16*int64(d))
	if p.Streamed() {
		bytes += gmm.PassBytes(n, o.Options)
	}
	plan, err := learner.PlanRows(ctx, p, o, 1, bytes)
	return p.PlanStreaming(plan), err
}

// WhyNotStreamed has no reason against them.
func (GMM) WhyNotStreamed(*task.Task) string { return "" }

var GMMSpec = &learner.Spec{
	Name: "gmm", Synonyms: []string{"mixture", "gaussian-mixture"},
	Title:  "mixture of Gaussians",
	Kernel: "linear",
	Verb:   "cluster",
	Target: learner.AsideTarget,
	Purpose: `A mixture of Gaussians Σ π_j N(x | μ_j, Σ_j), made likely by EM from several starts by k-means. predict gives the most probable
component, the probability of each, and the logarithm of the density. Ranges of --clusters and several --shape are compared by
--by: bic, aic or icl; smaller is better. Mixtures whose covariances have collapsed to the floor are passed over.`,
	Examples: []string{
		`faithful.csv --clusters 3 --shape tied --no-standardize`,
		`faithful.csv --clusters 1..6 --shape full,tied,diagonal,spherical --by bic`,
	},
	Settings:   func() learner.Settings { return &gmmSettings{} },
	ReadReport: learner.PlainReport[gmm.Report],
	Words: map[string][]string{
		"by": settings.Words(gmm.Criteria...),
	},
}

// gmmSettings are the settings of mixtures.
type gmmSettings struct {
	o        gmm.Options
	clusters string
	shapes   []string
	by       string
}

func (s *gmmSettings) Flags(fs learner.Flags) {
	declareClusters(fs, &s.clusters, "--by")
	fs.StringSliceVar(&s.shapes, "shape", settings.Words(gmm.Full), "covariances: full, tied, diagonal, spherical, or several to choose from")
	fs.StringVar(&s.by, "by", string(gmm.BIC), "criterion of the choice: bic, aic or icl")
	fs.IntVar(&s.o.Restarts, "restarts", 0, "starts, of which the likeliest result is kept; default 5")
	fs.IntVar(&s.o.MaxIterations, "iterations", 0, "limit of the iterations of a start; default 500")
	fs.Float64Var(&s.o.Floor, "floor", 0, "least variance in any direction; default 1e-6 of the mean variance of the columns")
}

func (s *gmmSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	k, err := clusterRange(s.clusters, t, g)
	if err != nil {
		return nil, err
	}
	m := GMM{Options: s.o, Choices: gmm.Choices{Least: k.Least, Most: k.Most, By: gmm.Criterion(s.by)}}
	for _, name := range s.shapes {
		shape := gmm.Shape(name)
		if !slices.Contains(gmm.Shapes, shape) {
			return nil, settings.Errorf("--shape %q is not known; there are full, tied, diagonal and spherical", name)
		}
		m.Choices.Shapes = append(m.Choices.Shapes, shape)
	}
	if !slices.Contains(gmm.Criteria, m.Choices.By) {
		return nil, settings.Errorf("--by %q is not known; there are bic, aic and icl", s.by)
	}
	m.Seed, m.Compute = g.Seed, g.Compute
	return m, nil
}
