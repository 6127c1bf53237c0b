package clustering

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
)

// KernelKMeans is k-means in the feature space of the kernel. Its options take the row
// weights from the problem. On landmarks or random features it is k-means of the rows of these.
type KernelKMeans struct {
	kmeans.Options
	// Clusters are the numbers of clusters to choose from, by their silhouettes.
	Clusters kmeans.Range
	// SilhouetteRows is that of [KMeans].
	SilhouetteRows int
}

// Name returns "kernel-kmeans".
func (KernelKMeans) Name() string { return "kernel-kmeans" }

// ComputeOptions are those of the fit.
func (o KernelKMeans) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o KernelKMeans) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// Fit binds rows one by one where the matrix is left as it is: a few that moved are then
// enough for an iteration.
func (o KernelKMeans) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if p.Indefinite != "" {
		return learner.FitOnGram(ctx, p, o)
	}
	if p.Approximated() {
		return o.fitFeatures(ctx, p)
	}
	g, storage, err := clusteringMatrix(ctx, p.Points, o.Clusters.Most, o.Compute)
	if err != nil {
		return nil, err
	}
	s, err := o.cluster(ctx, g, storage, p)
	if err != nil {
		return nil, err
	}
	l := &learner.Fitted{Report: s.Report, Decision: s.Decision}
	l.Function, l.Rows = p.Points.Expand(s.Coef, s.Bias)
	return l, nil
}

// fitFeatures clusters the rows of features that stand for the kernel, until no label changes
// unless a tolerance is given.
func (o KernelKMeans) fitFeatures(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if err := p.Untargeted(o.Name()); err != nil {
		return nil, err
	}
	rows, err := p.MappedRows(ctx, o.Compute)
	if err != nil {
		return nil, err
	}
	if o.Tolerance == 0 {
		o.Tolerance = -1
	}
	c, r, err := kMeansRows(ctx, p, rows, o.Clusters, o.SilhouetteRows, o.Options)
	if err != nil {
		return nil, err
	}
	w, bias := kmeans.FeatureFunctions(c.Centres.Gather(kmeans.Occupied(r.Masses)))
	f, err := p.Points.Primal(w, bias)
	return &learner.Fitted{Function: f, Decision: outcome.ForClusters(len(bias), ""), Report: r}, err
}

func clusteringOn[T any](ctx context.Context, l task.TypedPoints[T], clusters int, o compute.Options) (gram.Symmetric, string, error) {
	return kmeans.BindGram(ctx, l.Kernel, l.Set, clusters, o)
}

// clusteringMatrix is [clusteringOn] for points of any type.
func clusteringMatrix(ctx context.Context, rows task.Points, clusters int, o compute.Options) (k gram.Symmetric, text string, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { k, text, err = clusteringOn(ctx, l, clusters, o) },
		IDs:     func(l task.TypedPoints[string]) { k, text, err = clusteringOn(ctx, l, clusters, o) },
		Records: func(l task.TypedPoints[record.Record]) { k, text, err = clusteringOn(ctx, l, clusters, o) },
	})
	return k, text, err
}

func (o KernelKMeans) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	n, _ := k.Dims()
	g, storage, err := repeated(ctx, k, clusterBytes(n, o.Clusters.Most), o.Compute)
	if err != nil {
		return nil, err
	}
	return o.cluster(ctx, g, storage, p)
}

// cluster solves on a Gram matrix.
func (o KernelKMeans) cluster(ctx context.Context, g gram.Symmetric, storage string, p *task.Task) (*learner.Solution, error) {
	if err := p.Untargeted(o.Name()); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	by := func() (*judging, error) {
		judges, pairs := silhouetteRows(p, o.SilhouetteRows, o.Seed), p.Pairs()
		if judges != nil {
			pairs = gram.RowsOf(pairs).Bind(judges, judges)
		}
		return &judging{judges, pairs, judgesWeights(p, judges)}, nil
	}
	chosen, err := bySilhouette(ctx, o.Clusters, o.Compute, by, func(count int) ([]int, float64, error) {
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
	keep := kmeans.Occupied(r.Masses)
	return &learner.Solution{Coef: columnsOf(s.Coef(), keep), Bias: data.Pick(s.Bias(), keep), Decision: outcome.ForClusters(len(keep), ""), Report: r}, nil
}

// clusterBytes is what n rows in k clusters take beside a Gram matrix.
func clusterBytes(n, k int) int64 { return 8 * 4 * int64(n) * int64(k) }

func (o KernelKMeans) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	n, _, _ := p.Dims()
	if p.Approximated() {
		plan, err := learner.PlanRows(ctx, p, o, silhouettePower(p, o.Clusters, o.SilhouetteRows), kmeans.PassBytes(n, p.FeatureCount(), o.Clusters.Most, o.Options))
		return p.PlanMappedRows(plan, o.Compute), err
	}
	beside := clusterBytes(n, o.Clusters.Most)
	if p.Indefinite == "" && kmeans.Streams(p.Pairs()) {
		return learner.PlanBySample(ctx, p, o, func(int) int64 { return beside })
	}
	return planRepeated(ctx, p, o, beside)
}

// Mappings is once where the features are held, and else in each of some tens of passes: k-means++
// makes two for each centre, and a start one for each iteration.
func (o KernelKMeans) Mappings(p *task.Task) int {
	if p.MappedBytes(o.Compute) > 0 {
		return 1
	}
	return 2*o.Clusters.Most + plannedIterations
}

// plannedIterations are those of a start of k-means in a plan.
const plannedIterations = 20

func (o KernelKMeans) WhyNotStreamed(p *task.Task) string {
	if !p.Approximated() {
		return learner.NeedsGram
	}
	return ""
}

// planRepeated predicts a method that multiplies many times with the operator of
// [repeated], and holds some bytes beside.
func planRepeated(ctx context.Context, p *task.Task, method learner.Learner, beside int64) (compute.Plan, error) {
	o := method.ComputeOptions()
	n, _, _ := p.Dims()
	stored := gram.CacheFits(n, beside, o)
	plan, err := learner.PlanBySample(ctx, p, method, func(n int) int64 {
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

var KernelKMeansSpec = &learner.Spec{
	Name: "kernel-kmeans", Synonyms: []string{"kernelkmeans", "kernel-k-means"},
	Title:  "k-means in feature space",
	Verb:   "cluster",
	Target: learner.AsideTarget,
	Purpose: `k-means in the feature space of the kernel: the means are combinations of the φ(xᵢ), and distances to them sums of kernel values.
Clusters need not be convex, and rows need not be vectors. A range such as --clusters 2..10 compares by the mean silhouette there. With
--landmarks or --random-features it is k-means of the rows of these, also of a table larger than memory (--out-of-core).`,
	Examples: []string{
		`rings.csv --clusters 2 --kernel 'rbf(sigma=0.5)'`,
		`people.csv --id id --clusters 2..6 --kernel 'gram(file="K.npy")'`,
		`sky.csv --clusters 5 --landmarks 500 --out-of-core`,
	},
	Settings:   func() learner.Settings { return &kernelKMeansSettings{} },
	ReadReport: learner.PlainReport[kmeans.Report],
	Words: map[string][]string{
		"precision": settings.Precisions,
	},
}

// kernelKMeansSettings are the settings of k-means in feature space.
type kernelKMeansSettings struct{ clusterSettings }

func (s *kernelKMeansSettings) Flags(fs learner.Flags) {
	declareClusters(fs, &s.clusters, "the mean silhouette")
	s.declareStarts(fs)
	s.declareSilhouettes(fs)
	s.declarePrecision(fs)
}

func (s *kernelKMeansSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	o, k, err := s.options(t, g)
	return KernelKMeans{Options: o, Clusters: k, SilhouetteRows: s.judges}, err
}
