package kmeans

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/linalg"
	"mercer/model"
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

// Degrees returns dᵢ = Σⱼ aᵢⱼ. It is an error, which names the row, if one is not positive: an
// isolated point, or affinities that are negative.
func Degrees(ctx context.Context, a Gram) ([]float64, error) {
	n, cols := a.Dims()
	if n != cols {
		return nil, fmt.Errorf("kmeans: affinities are a square matrix, this one is %d×%d", n, cols)
	}
	ones, sums := mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		ones.Set(i, 0, 1)
	}
	if err := a.Mul(ctx, sums, ones); err != nil {
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

// CutKernel returns the matrix aᵢⱼ/(dᵢdⱼ). With the degrees dᵢ for weights, the objective of
// [Solve] on it is the normalised cut of the graph with the affinities a, up to a
// constant: Σ aᵢᵢ/dᵢ − k + Ncut, Ncut = Σ_j (1 − Σ_{i,l∈j} aᵢₗ / Σ_{i∈j} dᵢ). (Dhillon, Guan and Kulis
// 2004.) Solve from the labels of [Spectral] therefore never raises the cut, where a is
// positive semidefinite.
func CutKernel(a Gram, degrees []float64) Gram {
	s := make([]float64, len(degrees))
	for i, d := range degrees {
		s[i] = 1 / d
	}
	return &scaled{a, s}
}

// SpectralReport says how a spectral clustering went.
type SpectralReport struct {
	Report
	// Eigenvalues are the largest of D^(−1/2) A D^(−1/2), descending, at least k + 1 where there are as many;
	// Gap is the difference of the k-th and the next.
	Eigenvalues []float64 `json:"eigenvalues"`
	Gap         float64   `json:"gap"`
	// Components counts the eigenvalues that are 1 up to 1e-8: the parts of the graph that
	// no affinity joins.
	Components int `json:"components"`
	// Cut is the normalised cut of the clusters.
	Cut float64 `json:"cut"`
}

// maxChoice is the largest number of clusters that the eigengap chooses.
const maxChoice = 10

// Spectral clusters the nodes of a graph with affinities a ≥ 0, such as the Gram matrix
// of a Gaussian kernel: k-means on the rows, scaled to length 1, of the eigenvectors of the k
// largest eigenvalues of D^(−1/2) A D^(−1/2) (Ng, Jordan and Weiss, NIPS 2001). That is the
// relaxation of the objective of [Solve] on [CutKernel] with the degrees for weights.
// k = 0 chooses at most 10 clusters by the [Eigengap]. The options are those of
// [FitVectors], on the embedded rows; weights and starts are not used and are errors.
func Spectral(ctx context.Context, a Gram, k int, o Options) (labels []int, r *SpectralReport, err error) {
	n, _ := a.Dims()
	if o.Weights != nil || o.Start.Len() > 0 || o.StartLabels != nil {
		return nil, nil, fmt.Errorf("kmeans: spectral clustering has the degrees for weights and starts from k-means++: give neither weights nor a start")
	}
	wanted := k
	if k == 0 {
		wanted = 1
	}
	if err := o.validate(n, wanted); err != nil {
		return nil, nil, err
	}
	watch := model.NewStopwatch()
	degrees, err := Degrees(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	top, err := embed(ctx, a, degrees, k, o)
	if err != nil {
		return nil, nil, err
	}
	if k == 0 {
		k = Eigengap(top.Values)
	}
	rows := data.MakeVectors(n, k)
	for i := range n {
		copy(rows.At(i), top.Vectors.RawRowView(i)[:k])
		if norm := floats.Norm(rows.At(i), 2); norm > 0 {
			floats.Scale(1/norm, rows.At(i))
		}
	}
	r = &SpectralReport{Eigenvalues: top.Values}
	var clock model.Run
	watch.Lap(&clock, "embed")
	clusters, report, err := FitVectors(ctx, rows, k, o)
	if err != nil {
		return nil, nil, err
	}
	watch.Lap(&clock, "cluster")
	r.Report = *report
	r.Stages, r.Seconds = clock.Stages, clock.Seconds
	r.describe(k)
	r.Cut, err = Cut(ctx, a, degrees, clusters.Labels)
	return clusters.Labels, r, err
}

// embed computes the eigenvectors of the normalised affinities.
func embed(ctx context.Context, a Gram, degrees []float64, k int, o Options) (*linalg.Top, error) {
	s := make([]float64, len(degrees))
	for i, d := range degrees {
		s[i] = 1 / math.Sqrt(d)
	}
	count := k + 1
	if k == 0 {
		count = maxChoice + 1
	}
	top, _, err := linalg.TopEigen(ctx, &scaled{a, s}, min(count, len(degrees)),
		linalg.TopOptions{Seed: o.Seed, Workers: o.Compute.Workers, Progress: o.Compute.Progress})
	if err != nil {
		return nil, fmt.Errorf("kmeans: eigenvectors of the normalised affinities: %w", err)
	}
	return top, nil
}

// describe fills what the eigenvalues say of k.
func (r *SpectralReport) describe(k int) {
	for _, v := range r.Eigenvalues {
		if v > 1-1e-8 {
			r.Components++
		}
	}
	if len(r.Eigenvalues) > k {
		r.Gap = r.Eigenvalues[k-1] - r.Eigenvalues[k]
	}
	if r.Components > k {
		r.Warn("the graph has at least %d parts that no affinity joins, more than the %d clusters: which of them share a cluster is arbitrary", r.Components, k)
	}
}

// Eigengap returns the number of clusters after which the eigenvalues, descending, fall
// most: the j ≥ 1 with the largest λ_j − λ_{j+1}, the first of several. 0 for no
// eigenvalues.
func Eigengap(values []float64) int {
	best := min(1, len(values))
	for j := 1; j < len(values); j++ {
		if values[j-1]-values[j] > values[best-1]-values[best] {
			best = j
		}
	}
	return best
}

// Cut returns the normalised cut Σ_j (1 − Σ_{i,l∈j} aᵢₗ / Σ_{i∈j} dᵢ) of a clustering; empty
// clusters count nothing.
func Cut(ctx context.Context, a Gram, degrees []float64, labels []int) (float64, error) {
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
		members.Set(i, j, 1)
	}
	if err := a.Mul(ctx, sums, members); err != nil {
		return 0, err
	}
	inside, volume := make([]float64, k), make([]float64, k)
	for i, j := range labels {
		inside[j] += sums.At(i, j)
		volume[j] += degrees[i]
	}
	cut := 0.0
	for j, v := range volume {
		if v > 0 {
			cut += 1 - inside[j]/v
		}
	}
	return cut, nil
}

var (
	_ Gram = (*gram.Stream)(nil)
	_ Gram = (*gram.Matrix)(nil)
	_ Gram = (*scaled)(nil)
)
