package clustering

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/linalg"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kmeans"
)

// Spectral is spectral clustering of the graph whose affinities are the values of the
// kernel, refined to a smaller normalised cut; see [kmeans.SolveCut]. Its options take the row
// weights from the problem. On landmarks or random features it is that of their inner products, see
// [kmeans.Features].
type Spectral struct {
	kmeans.Options
	// Clusters are the numbers of clusters to choose from, by the eigengap.
	Clusters kmeans.Range
}

// Name returns "spectral".
func (Spectral) Name() string { return "spectral" }

// ComputeOptions are those of the fit.
func (o Spectral) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o Spectral) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o Spectral) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if p.Approximated() {
		return o.fitFeatures(ctx, p)
	}
	return learner.FitOnGram(ctx, p, o)
}

func (o Spectral) fitFeatures(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	if err := p.Untargeted(o.Name()); err != nil {
		return nil, err
	}
	rows, err := p.MappedRows(ctx, o.Compute)
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	s, r, err := kmeans.SolveCut(ctx, kmeans.Features{Rows: rows}, o.Clusters, o.Options)
	if err != nil {
		return nil, err
	}
	keep := kmeans.Occupied(r.Masses)
	f, err := p.Points.Primal(columnsOf(s.Coef(), keep), make([]float64, len(keep)))
	return &learner.Fitted{Function: f, Decision: outcome.ForClusters(len(keep), ""), Report: r}, err
}

func (o Spectral) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	if err := p.Untargeted(o.Name()); err != nil {
		return nil, err
	}
	n, _ := k.Dims()
	a, storage, err := repeated(ctx, k, spectralBytes(n, o.Clusters.Most), o.Compute)
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	s, r, err := kmeans.SolveCut(ctx, kmeans.Affinities{Gram: a}, o.Clusters, o.Options)
	if err != nil {
		return nil, err
	}
	r.Storage = storage
	keep := kmeans.Occupied(r.Masses)
	return &learner.Solution{Coef: columnsOf(s.Coef(), keep), Bias: make([]float64, len(keep)), Decision: outcome.ForClusters(len(keep), ""), Report: r}, nil
}

// spectralBytes is what n rows in k clusters take beside the affinities.
func spectralBytes(n, k int) int64 {
	basis, _, _ := linalg.TopDemand(n, k+1)
	return basis + clusterBytes(n, k)
}

func (o Spectral) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	n, _, _ := p.Dims()
	if p.Approximated() {
		bytes, _ := o.cutBytes(p)
		plan, err := learner.PlanRows(ctx, p, o, 1, bytes)
		features := p.FeatureCount()
		plan.Sent = compute.Sent{Piece: features * (features + 1), Row: 2*o.Clusters.Most + 1} // moments; the embedding and its clusters
		return p.PlanMappedRows(plan, o.Compute), err
	}
	return planRepeated(ctx, p, o, spectralBytes(n, o.Clusters.Most))
}

// cutBytes is what the clustering in features holds beside these, and whether that has the embedded
// rows.
func (o Spectral) cutBytes(p *task.Task) (bytes int64, embedded bool) {
	n, _, _ := p.Dims()
	return kmeans.CutBytes(n, p.FeatureCount(), o.Clusters.Most, p.MappedBytes(o.Compute) > 0, o.Options)
}

// Mappings is once where the features are held, and else in each pass: two of the moments, those of
// k-means in the embedding, unless that is held, those of the refinement, and two of the cuts.
func (o Spectral) Mappings(p *task.Task) int {
	if p.MappedBytes(o.Compute) > 0 {
		return 1
	}
	embedding := 2*o.Clusters.Most + plannedIterations
	if _, embedded := o.cutBytes(p); embedded {
		embedding = 1
	}
	return 2 + embedding + plannedIterations + 2
}

func (Spectral) WhyNotStreamed(p *task.Task) string {
	if !p.Approximated() {
		return learner.NeedsGram
	}
	return ""
}

var SpectralSpec = &learner.Spec{
	Name: "spectral", Synonyms: []string{"spectral-clustering"},
	Title:  "spectral clustering",
	Verb:   "cluster",
	Target: learner.AsideTarget,
	Purpose: `Spectral clustering cuts the graph whose affinities are the values of the kernel into parts with small normalised cut: k-means on
eigenvectors of the normalised affinities, refined by weighted kernel k-means, which also says where new rows belong. A range such as
--clusters 2..10 takes the number after which the eigenvalues fall most. With --landmarks or --random-features no matrix of the rows
is made, and the table may be larger than memory (--out-of-core).`,
	Examples: []string{
		`rings.csv --clusters 2 --kernel 'rbf(sigma=0.3)'`,
		`rings.csv --clusters 2..8 --kernel 'rbf(sigma=0.3)'`,
		`sky.csv --clusters 2..8 --landmarks 500 --out-of-core`,
	},
	Settings:   func() learner.Settings { return &spectralSettings{} },
	ReadReport: learner.PlainReport[kmeans.SpectralReport],
	Words: map[string][]string{
		"precision": settings.Precisions,
	},
}

// spectralSettings are the settings of spectral clustering.
type spectralSettings struct{ clusterSettings }

func (s *spectralSettings) Flags(fs learner.Flags) {
	declareClusters(fs, &s.clusters, "the eigengap")
	s.declareStarts(fs)
	s.declarePrecision(fs)
}

func (s *spectralSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	o, k, err := s.options(t, g)
	return Spectral{Options: o, Clusters: k}, err
}
