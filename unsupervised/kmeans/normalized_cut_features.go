package kmeans

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/pass"
)

// Features is the graph with the affinities aᵢⱼ = ⟨φᵢ, φⱼ⟩, where φᵢ, m numbers, is row i. Rows may
// be made again in every pass ([example.org/mercer/pass.Map]), and [SolveCut] makes no
// matrix of them. With s = Σ wᵢφᵢ
//
//	dᵢ = ⟨φᵢ, s⟩,   M = Σᵢ (wᵢ/dᵢ) φᵢφᵢᵀ = VΛVᵀ,
//
// the matrix √(wᵢ/dᵢ) aᵢⱼ √(wⱼ/dⱼ) has the eigenvalues Λ and the eigenvectors √(wᵢ/dᵢ) ⟨φᵢ, v⟩/√λ
// (Fowlkes, Belongie, Chung & Malik, IEEE PAMI 26, 2004, have it for landmarks), so that the
// embedded rows are Λ^(−½)Vᵀφᵢ, scaled to length 1. The refinement is k-means of the rows φᵢ/dᵢ
// with the weights wᵢdᵢ, by [FitVectors].
//
// Inner products of features that approximate a kernel may be negative. It is an error if those of
// a row add up to no positive number, and a warning if an eigenvalue is above 1, as those of
// affinities ≥ 0 never are.
//
// Cost: nm² flops for M and 10m³/3 for its eigenvectors, a pass over the rows for s and one for M;
// then the passes of [FitVectors], in k and in m dimensions, with the n×k embedded rows in memory
// where [compute.FitsInMemory] has room, and two for the cuts. The bits are the same wherever the
// rows are and for any number of workers.
type Features struct{ data.Rows }

func (phi Features) cut(ctx context.Context, k Range, o Options) (*CutSolution, *SpectralReport, error) {
	n := phi.Len()
	if err := errors.Join(refuseStart(o), k.check(1), o.validate(n, k.Most)); err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	g := &featureGraph{phi: phi.Rows, w: o.weights(n), o: o.Compute}
	e, err := g.embed(ctx, k)
	if err != nil {
		return nil, nil, err
	}
	r := &SpectralReport{Eigenvalues: e.values}
	labels, err := r.cluster(ctx, e.rows, e.count, o, watch)
	if err != nil {
		return nil, nil, err
	}
	if e.dim < e.count {
		r.Warn("the affinities have rank %d, less than the %d clusters: the embedding has as many dimensions", e.dim, e.count)
	}
	relaxed, err := g.cut(ctx, labels, r.K)
	if err != nil {
		return nil, nil, err
	}
	refined, report, err := g.refine(ctx, labels, relaxed, o)
	if err != nil {
		return nil, nil, err
	}
	final, err := g.cut(ctx, refined, r.K)
	if err != nil {
		return nil, nil, err
	}
	r.Cut = relaxed.value()
	r.refined(labels, refined, g.w, final.value(), report, watch)
	return &CutSolution{Labels: refined, Norms: final.norms(), Masses: final.volume, weights: g.w, w: final.functions(g.total)}, r, nil
}

// featureGraph is a graph whose affinities are inner products of features.
type featureGraph struct {
	phi     data.Rows
	w       []float64
	total   []float64 // s = Σ wᵢφᵢ
	volumes []float64 // wᵢdᵢ
	o       compute.Options
}

// weight is what goes along with row i.
func (g *featureGraph) weight(numbers []float64, i int) { numbers[0] = g.w[i] }

// sumFeatures finds s.
func (g *featureGraph) sumFeatures(ctx context.Context) error {
	g.total = make([]float64, g.phi.Dim())
	return g.o.Step(ctx, "sum of the rows", [][]float64{g.total}, func() error {
		sums, err := pass.Reduce(ctx, g.phi, pass.Sums{Work: pass.WeightedSum{}, In: g.weight}, g.o)
		copy(g.total, sums)
		return err
	})
}

// moments finds the degrees and returns M.
func (g *featureGraph) moments(ctx context.Context) (*mat.SymDense, error) {
	n, m := g.phi.Len(), g.phi.Dim()
	g.volumes = make([]float64, n)
	moments := mat.NewSymDense(m, nil)
	err := g.o.Step(ctx, "moments", [][]float64{moments.RawSymmetric().Data, g.volumes}, func() error {
		degrees := make([]float64, n)
		sums, err := pass.Reduce(ctx, g.phi, pass.Sums{Work: normalisedMoments{g.total}, In: g.weight, Out: func(made *mat.Dense, from int) {
			copy(degrees[from:], made.RawMatrix().Data)
		}}, g.o)
		if err != nil {
			return err
		}
		copy(moments.RawSymmetric().Data, sums)
		floats.MulTo(g.volumes, g.w, degrees)
		return g.checkPositive(degrees)
	})
	return moments, err
}

// checkPositive is an error that counts the degrees which are not, and names the first.
func (g *featureGraph) checkPositive(degrees []float64) error {
	count, first := 0, -1
	for i, d := range degrees {
		if !(d > 0) || math.IsInf(d, 1) {
			if count++; count == 1 {
				first = i
			}
		}
	}
	if count == 0 {
		return nil
	}
	return fmt.Errorf("kmeans: the affinities of %d of %d rows add up to no positive number in these %d features, those of row %d to %v: more landmarks or features follow the kernel more closely, a wider kernel joins such rows to others, or leave them out", count, len(degrees), g.phi.Dim(), first, degrees[first])
}

// embedded are the rows Λ^(−½)Vᵀφᵢ, scaled to length 1.
type embedded struct {
	rows       data.Rows
	values     []float64 // the largest eigenvalues, descending; of rank m all others are 0
	count, dim int       // of clusters, and of eigenvalues above rounding among as many
}

// embed finds the embedding, for the number of clusters of a range after which the eigenvalues fall
// most.
func (g *featureGraph) embed(ctx context.Context, k Range) (*embedded, error) {
	if err := g.sumFeatures(ctx); err != nil {
		return nil, err
	}
	moments, err := g.moments(ctx)
	if err != nil {
		return nil, err
	}
	found, err := linalg.EigenSym(ctx, moments, linalg.Options{Workers: g.o.WorkerCount()})
	if err != nil {
		return nil, fmt.Errorf("kmeans: eigenvectors of the normalised moments: %w", err)
	}
	n, m := g.phi.Len(), g.phi.Dim()
	e := &embedded{values: make([]float64, min(n, k.Most+1))}
	for j := range min(m, len(e.values)) {
		e.values[j] = max(0, found.Values[m-1-j])
	}
	e.count = Eigengap(e.values, k)
	floor := float64(max(n, m)) * unit64 * e.values[0]
	axes := data.MakeVectors(min(m, e.count), m)
	for e.dim < axes.Len() && e.values[e.dim] > floor {
		mat.Col(axes.At(e.dim), m-1-e.dim, found.Vectors)
		floats.Scale(1/math.Sqrt(e.values[e.dim]), axes.At(e.dim))
		e.dim++
	}
	e.rows = pass.Through(g.phi, onSphere{pass.PointsOf(axes), e.dim})
	if !compute.FitsInMemory(embeddedBytes(n, m, e.dim, pass.InMemory(g.phi)), g.o.MaxMemory) {
		return e, nil
	}
	e.rows, err = pass.Read(ctx, e.rows, g.o.WorkerCount())
	return e, err
}

// CutBytes returns the largest memory of [SolveCut] for n rows of m features and k clusters,
// without the features. embedded says whether the embedded rows are in it; otherwise they are made
// again in every pass.
func CutBytes(n, m, k int, inMemory bool, o Options) (bytes int64, embedded bool) {
	square := 8 * int64(m) * int64(m)
	bytes = max(int64(min(pass.SlabsFor(n, m*m), o.Compute.WorkerCount()+1)+1)*square, 5*square) // sums of the slabs; eigenvectors
	search := PassBytes(n, k, k, o)
	if embedded = compute.FitsInMemory(embeddedBytes(n, m, k, inMemory), o.Compute.MaxMemory); embedded {
		search += embeddedBytes(n, 0, k, false)
	}
	refinement := PassBytes(n, m, k, Options{Restarts: 1, Compute: o.Compute})
	return bytes + 4*8*int64(n) + max(search, refinement), embedded // weights, volumes, and labels before and after
}

// embeddedBytes is what embedded rows take beside features that are in memory or not.
func embeddedBytes(n, m, k int, inMemory bool) int64 {
	if inMemory {
		k += m
	}
	return 8 * int64(n) * int64(k)
}

// refine lowers the cut from given labels: k-means of the rows ψᵢ = φᵢ/dᵢ with the weights wᵢdᵢ,
// until no label changes. Clusters without weight take no part.
func (g *featureGraph) refine(ctx context.Context, labels []int, from *featureCut, o Options) ([]int, *Report, error) {
	m := g.phi.Dim()
	rows := pass.Through(g.phi, perDegree{g.total})
	keep := from.occupied()
	start := data.MakeVectors(len(keep), m)
	for to, j := range keep {
		floats.ScaleTo(start.At(to), 1/from.volume[j], from.sums.At(j))
	}
	by := Options{MaxIterations: o.MaxIterations, Tolerance: -1, Start: start, Weights: g.volumes, Compute: g.o.Within("refinement")}
	c, r, err := FitVectors(ctx, rows, len(keep), by)
	if err != nil {
		return nil, nil, err
	}
	for i, j := range c.Labels {
		c.Labels[i] = keep[j]
	}
	return c.Labels, r, nil
}

// featureCut is what the normalised cut of some labels is made of: S_j = Σ_{i∈j} wᵢφᵢ and s_j =
// Σ_{i∈j} wᵢdᵢ.
type featureCut struct {
	sums   data.Vectors
	volume []float64
}

// cut makes a pass over the rows.
func (g *featureGraph) cut(ctx context.Context, labels []int, k int) (*featureCut, error) {
	m := g.phi.Dim()
	c := &featureCut{sums: data.MakeVectors(k, m), volume: make([]float64, k)}
	err := g.o.Step(ctx, "cut", [][]float64{c.sums.Raw()}, func() error {
		sums, err := pass.Reduce(ctx, g.phi, pass.Sums{Work: clusterSum{k}, In: func(numbers []float64, i int) {
			g.weight(numbers, i)
			numbers[1] = float64(labels[i])
		}}, g.o)
		copy(c.sums.Raw(), sums)
		return err
	})
	for i, j := range labels {
		c.volume[j] += g.volumes[i]
	}
	return c, err
}

// occupied returns the clusters with weight.
func (c *featureCut) occupied() []int {
	var out []int
	for j, v := range c.volume {
		if v > 0 {
			out = append(out, j)
		}
	}
	return out
}

// value is the normalised cut Σ_j (1 − ‖S_j‖²/s_j).
func (c *featureCut) value() (cut float64) {
	for _, j := range c.occupied() {
		cut += 1 - floats.Dot(c.sums.At(j), c.sums.At(j))/c.volume[j]
	}
	return cut
}

// norms are ‖S_j/s_j‖², zero of a cluster without weight.
func (c *featureCut) norms() []float64 {
	norms := make([]float64, len(c.volume))
	for _, j := range c.occupied() {
		s := c.sums.At(j)
		norms[j] = floats.Dot(s, s) / (c.volume[j] * c.volume[j])
	}
	return norms
}

// functions returns the weights 2S_j/s_j − ‖S_j/s_j‖² s.
func (c *featureCut) functions(total []float64) *mat.Dense {
	w, norms := mat.NewDense(len(total), len(c.volume), nil), c.norms()
	for _, j := range c.occupied() {
		for i, v := range c.sums.At(j) {
			w.Set(i, j, 2*v/c.volume[j]-norms[j]*total[i])
		}
	}
	return w
}
