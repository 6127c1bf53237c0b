package kmeans

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// scaled is the matrix with the elements sᵢ aᵢⱼ sⱼ.
type scaled struct {
	a Gram
	s []float64
}

// Dims returns the order twice.
func (m *scaled) Dims() (rows, cols int) { return m.a.Dims() }

// Mul stores S·A·S·x in dst.
func (m *scaled) Mul(ctx context.Context, dst, x *mat.Dense) error {
	y := mat.DenseCopyOf(x)
	m.scale(y)
	if err := m.a.Mul(ctx, dst, y); err != nil {
		return err
	}
	m.scale(dst)
	return nil
}

func (m *scaled) scale(x *mat.Dense) {
	for i, s := range m.s {
		floats.Scale(s, x.RawRowView(i))
	}
}

// Pairs presents the matrix as a bound kernel.
func (m *scaled) Pairs() kernel.Pairs { return scaledPairs{m.a.Pairs(), m.s} }

type scaledPairs struct {
	kernel.Pairs
	s []float64
}

// Tile scales a tile of the matrix.
func (p scaledPairs) Tile(dst kernel.Tile, row, col int) {
	p.Pairs.Tile(dst, row, col)
	for i := range dst.Rows {
		for j, v := range dst.Row(i) {
			dst.Row(i)[j] = p.s[row+i] * v * p.s[col+j]
		}
	}
}

// Degrees returns dᵢ = Σⱼ wⱼaᵢⱼ; nil weights are all ones. It is an error, which names the row,
// if one is not positive: an isolated point, or affinities that are negative.
func Degrees(ctx context.Context, a Gram, weights []float64) ([]float64, error) {
	n, cols := a.Dims()
	if n != cols || weights != nil && len(weights) != n {
		return nil, fmt.Errorf("kmeans: affinities are a square matrix with a weight for each row, this one is %d×%d with %d weights", n, cols, len(weights))
	}
	w, sums := slices.Repeat([]float64{1}, n), mat.NewDense(n, 1, nil)
	if weights != nil {
		copy(w, weights)
	}
	if err := a.Mul(ctx, sums, mat.NewDense(n, 1, w)); err != nil {
		return nil, err
	}
	d := sums.RawMatrix().Data
	for i, v := range d {
		if !(v > 0) || math.IsInf(v, 1) {
			return nil, fmt.Errorf("kmeans: the affinities of row %d add up to %v, not to a positive number: leave an isolated point out, or take a kernel without negative values", i, v)
		}
	}
	return d, nil
}

// SpectralReport says how a spectral clustering went.
type SpectralReport struct {
	Report
	// Eigenvalues are the largest of D^(−½)AD^(−½), descending, at least k + 1 where there are as
	// many; Gap is the difference of the k-th and the next.
	Eigenvalues []float64 `json:"eigenvalues"`
	Gap         float64   `json:"gap"`
	// Components counts the eigenvalues that are 1 up to 1e-8: the parts of the graph that
	// no affinity joins.
	Components int `json:"components"`
	// Cut is the normalised cut of the clusters.
	Cut float64 `json:"cut"`
	// Relaxed is the cut before [SolveCut] refined it, Moved the number of rows it moved.
	Relaxed float64 `json:"relaxed_cut,omitempty"`
	Moved   int     `json:"moved,omitempty"`
}

// maxChoice is the largest number of clusters that the eigengap chooses where no range is given.
const maxChoice = 10

// Spectral clusters the nodes of a graph with affinities a ≥ 0, such as the Gram matrix
// of a Gaussian kernel: k-means on the rows, scaled to length 1, of the eigenvectors of the k
// largest eigenvalues of D^(−½)AD^(−½) (Ng, Jordan and Weiss, NIPS 2001). That is the
// relaxation of the objective of [Solve] on [CutKernel] with the degrees for weights.
// k = 0 chooses at most 10 clusters by the [Eigengap]. The options are those of
// [FitVectors], on the embedded rows; starts are not used and are errors.
//
// With weights a row of weight 2 is the row twice: dᵢ = Σⱼ wⱼaᵢⱼ, and the matrix has the
// elements √(wᵢ/dᵢ) aᵢⱼ √(wⱼ/dⱼ). A row of weight 0 has no place in the embedding, and its
// label no meaning; [SolveCut] gives it one.
func Spectral(ctx context.Context, a Gram, k int, o Options) (labels []int, r *SpectralReport, err error) {
	if k == 0 {
		n, _ := a.Dims()
		return SpectralBetween(ctx, a, Range{1, min(maxChoice, max(1, n))}, o)
	}
	return SpectralBetween(ctx, a, Range{k, k}, o)
}

// SpectralBetween is [Spectral] with the number of clusters of a range after which the
// eigenvalues fall most.
func SpectralBetween(ctx context.Context, a Gram, k Range, o Options) (labels []int, r *SpectralReport, err error) {
	n, _ := a.Dims()
	if err := errors.Join(refuseStart(o), k.check(1), o.validate(n, k.Most)); err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	degrees, err := Degrees(ctx, a, o.Weights)
	if err != nil {
		return nil, nil, err
	}
	top, err := embed(ctx, a, degrees, k.Most, o)
	if err != nil {
		return nil, nil, err
	}
	count := Eigengap(top.Values, k)
	rows := data.MakeVectors(n, count)
	for i := range n {
		copy(rows.At(i), top.Vectors.RawRowView(i)[:count])
		unitLength(rows.At(i))
	}
	r = &SpectralReport{Eigenvalues: top.Values}
	if labels, err = r.cluster(ctx, rows, count, o, watch); err != nil {
		return nil, nil, err
	}
	r.Cut, err = weightedCut(ctx, a, degrees, o.weights(n), labels)
	return labels, r, err
}

// refuseStart refuses a start.
func refuseStart(o Options) error {
	if o.Start.Len() > 0 || o.StartLabels != nil {
		return errors.New("kmeans: spectral clustering starts from k-means++ in its embedding: give no start")
	}
	return nil
}

// unitLength scales a row to length 1, unless it is 0.
func unitLength(row []float64) {
	if norm := floats.Norm(row, 2); norm > 0 {
		floats.Scale(1/norm, row)
	}
}

// cluster finds clusters of embedded rows, and fills in what they and the eigenvalues say.
func (r *SpectralReport) cluster(ctx context.Context, rows data.Rows, count int, o Options, watch *model.Stopwatch) ([]int, error) {
	var clock model.Run
	watch.Lap(&clock, "embed")
	clusters, report, err := FitVectors(ctx, rows, count, o)
	if err != nil {
		return nil, err
	}
	watch.Lap(&clock, "cluster")
	r.Report = *report
	r.Stages, r.Seconds = clock.Stages, clock.Seconds
	byFirstRow(clusters.Labels, &r.Report)
	r.describe(count)
	return clusters.Labels, nil
}

// byFirstRow numbers clusters in the order of their first rows, empty ones last: nothing in
// an embedding, which is known up to a rotation, gives them an order.
func byFirstRow(labels []int, r *Report) {
	number, next := slices.Repeat([]int{-1}, len(r.Sizes)), 0
	for i, j := range labels {
		if number[j] < 0 {
			number[j], next = next, next+1
		}
		labels[i] = number[j]
	}
	sizes, masses := make([]int, len(r.Sizes)), make([]float64, len(r.Sizes))
	for j, to := range number {
		if to < 0 {
			to, next = next, next+1
		}
		sizes[to], masses[to] = r.Sizes[j], r.Masses[j]
	}
	r.Sizes, r.Masses = sizes, masses
}

// embed computes the eigenvectors of the normalised affinities, one more than clusters.
func embed(ctx context.Context, a Gram, degrees []float64, clusters int, o Options) (*linalg.Top, error) {
	s := slices.Clone(o.weights(len(degrees)))
	for i, d := range degrees {
		s[i] = math.Sqrt(s[i] / d)
	}
	top, _, err := linalg.TopEigen(ctx, gram.Checkpointed(&scaled{a, s}, o.Compute), min(clusters+1, len(degrees)),
		linalg.TopOptions{Seed: o.Seed, Workers: o.Compute.Workers, Progress: o.Compute.Progress})
	if err != nil {
		return nil, fmt.Errorf("kmeans: eigenvectors of the normalised affinities: %w", err)
	}
	return top, nil
}

// unitRounding is how far from 1 an eigenvalue may be that is taken for 1.
const unitRounding = 1e-8

// describe fills in the eigengap and the components for k clusters.
func (r *SpectralReport) describe(k int) {
	for _, v := range r.Eigenvalues {
		if math.Abs(v-1) < unitRounding {
			r.Components++
		}
	}
	if first := r.Eigenvalues[0]; first > 1+unitRounding {
		r.Warn("the largest eigenvalue is %.6g, above 1: some affinities are negative, and the cut is not that of a graph", first)
	}
	if len(r.Eigenvalues) > k {
		r.Gap = r.Eigenvalues[k-1] - r.Eigenvalues[k]
	}
	if r.Components > k {
		r.Warn("the graph has at least %d parts that no affinity joins, more than the %d clusters: which of them share a cluster is arbitrary", r.Components, k)
	}
}

// Eigengap returns the number of clusters of a range after which the eigenvalues,
// descending, fall most: the j with the largest λ_j − λ_{j+1}, the first of several. Where
// there are not as many values it is the least number.
func Eigengap(values []float64, k Range) int {
	best := k.Least
	for j := k.Least + 1; j <= k.Most && j < len(values); j++ {
		if values[j-1]-values[j] > values[best-1]-values[best] {
			best = j
		}
	}
	return best
}

var (
	_ Gram = (*gram.Stream)(nil)
	_ Gram = (*gram.Matrix)(nil)
	_ Gram = (*scaled)(nil)
)
