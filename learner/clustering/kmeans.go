package clustering

import (
	"context"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
)

// KMeans is k-means on vectors as they are: on a problem with the kernel linear. Its
// options take the row weights from the problem.
type KMeans struct {
	kmeans.Options
	// Clusters are the numbers of clusters to choose from, by their silhouettes.
	Clusters kmeans.Range
	// SilhouetteRows is how many rows these are of, drawn at random; 0 means all, and 4096 of rows
	// that stay in their file.
	SilhouetteRows int
}

// Name returns "kmeans".
func (KMeans) Name() string { return "kmeans" }

// ComputeOptions are those of the fit.
func (o KMeans) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o KMeans) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o KMeans) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	l, err := p.PlainVectors(o.Name())
	if err != nil {
		return nil, err
	}
	c, r, err := kMeansRows(ctx, p, l.Set.(data.Rows), o.Clusters, o.SilhouetteRows, o.Options)
	if err != nil {
		return nil, err
	}
	w, bias := kmeans.LinearFunctions(c.Centres.Gather(kmeans.Occupied(r.Masses)))
	f, err := l.Primal(w, bias)
	return &learner.Fitted{Function: f, Decision: outcome.ForClusters(len(bias), ""), Report: r}, err
}

// kMeansRows is k-means of the rows of the problem, as vectors of some kind, with the number of
// clusters that their silhouettes choose where there are several.
func kMeansRows(ctx context.Context, p *task.Task, rows data.Rows, k kmeans.Range, judges int, o kmeans.Options) (*kmeans.Clusters, *kmeans.Report, error) {
	o.Weights = p.Rows.W
	by := func() (*judging, error) {
		return silhouettesAmong(ctx, p, rows, silhouetteRows(p, judges, o.Seed), o.Compute)
	}
	chosen, err := bySilhouette(ctx, k, o.Compute, by, func(k int) ([]int, float64, error) {
		c, r, err := kmeans.FitVectors(ctx, rows, k, o)
		if err != nil {
			return nil, 0, err
		}
		return c.Labels, r.Objective, nil
	})
	if err != nil {
		return nil, nil, err
	}
	c, r, err := kmeans.FitVectors(ctx, rows, chosen.k, o)
	if err == nil {
		chosen.tell(r)
	}
	return c, r, err
}

func (o KMeans) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	n, d, _ := p.Dims()
	power := silhouettePower(p, o.Clusters, o.SilhouetteRows)
	if p.Streamed() {
		plan, err := learner.PlanRows(ctx, p, o, power, kmeans.PassBytes(n, d, o.Clusters.Most, o.Options))
		return p.PlanStreaming(plan), err
	}
	// Panels in single precision; of each row what k-means++ and the iteration keep, and an inner
	// product with each of 2 + ln k candidates.
	each := 8 + math.Log(float64(max(1, o.Clusters.Most)))
	return learner.PlanRows(ctx, p, o, power, 4*int64(n)*int64(d)+int64(8*float64(n)*each))
}

// WhyNotStreamed has no reason against them: numbers of clusters are compared on some rows.
func (KMeans) WhyNotStreamed(*task.Task) string { return "" }

var KMeansSpec = &learner.Spec{
	Name: "kmeans", Synonyms: []string{"k-means"}, Default: learner.AsideTarget,
	Title:  "k-means",
	Kernel: "linear",
	Verb:   "cluster",
	Target: learner.AsideTarget,
	Purpose: `k-means finds clusters with a small sum of squared distances of the rows, as prepared, to the means of their clusters: Lloyd's
iteration from several starts by k-means++. A range such as --clusters 2..10 compares the clusterings by their mean silhouette, of all
rows or of some (--silhouette-rows).`,
	Examples: []string{
		`iris.csv --target species --clusters 3`,
		`customers.csv --clusters 2..10`,
	},
	Settings:   func() learner.Settings { return &kmeansSettings{} },
	ReadReport: learner.PlainReport[kmeans.Report],
}

// kmeansSettings are the settings of k-means.
type kmeansSettings struct{ clusterSettings }

func (s *kmeansSettings) Flags(fs learner.Flags) {
	declareClusters(fs, &s.clusters, "the mean silhouette")
	s.declareStarts(fs)
	s.declareSilhouettes(fs)
}

func (s *kmeansSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	o, k, err := s.options(t, g)
	return KMeans{Options: o, Clusters: k, SilhouetteRows: s.judges}, err
}
