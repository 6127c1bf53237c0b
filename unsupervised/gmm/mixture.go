package gmm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/pass"
)

// Mixture is the density Σ_j π_j N(x | μ_j, Σ_j).
type Mixture struct {
	Shape   Shape
	Weights []float64    // π_j ≥ 0, of sum 1
	Means   data.Vectors // μ_j, k vectors
	// Covariances are the k matrices of [Full], the one of [Tied]; nil otherwise.
	Covariances []*mat.SymDense
	// Variances are k vectors: of d numbers for [Diagonal], of one for [Spherical]; empty
	// otherwise.
	Variances data.Vectors
}

// Check returns every reason for which m is not a density.
func (m *Mixture) Check() error {
	k, d := m.Means.Len(), m.Means.Dim()
	var problems []error
	add := func(format string, args ...any) { problems = append(problems, fmt.Errorf("gmm: "+format, args...)) }
	if !m.Shape.known() {
		add("the shape %q is not known; one of %q is", m.Shape, Shapes)
	}
	if k == 0 || d == 0 {
		add("%d means of %d columns: a mixture needs both", k, d)
	}
	if len(m.Weights) != k {
		add("%d weights for %d means", len(m.Weights), k)
	}
	sum := 0.0
	for j, w := range m.Weights {
		if !(w >= 0) {
			add("weight %d is %v, not a number ≥ 0", j, w)
		}
		sum += w
	}
	if math.Abs(sum-1) > 1e-6 {
		add("the weights add up to %v, not to 1", sum)
	}
	for i, v := range m.Means.Raw() {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			add("column %d of mean %d is %v, not a finite number", i%d, i/d, v)
		}
	}
	return errors.Join(append(problems, m.checkSpread(k, d))...)
}

// checkSpread wants covariances of the right number and sizes.
func (m *Mixture) checkSpread(k, d int) error {
	wide, want := map[Shape]int{Diagonal: d, Spherical: 1}[m.Shape], map[Shape]int{Full: k, Tied: 1}[m.Shape]
	if len(m.Covariances) != want {
		return fmt.Errorf("gmm: %d covariances for the shape %s of %d components, want %d", len(m.Covariances), m.Shape, k, want)
	}
	for j, c := range m.Covariances {
		if c == nil || c.SymmetricDim() != d {
			return fmt.Errorf("gmm: covariance %d is not of order %d", j, d)
		}
	}
	if wide > 0 && (m.Variances.Len() != k || m.Variances.Dim() != wide) {
		return fmt.Errorf("gmm: the variances are %d×%d, want %d×%d", m.Variances.Len(), m.Variances.Dim(), k, wide)
	}
	for i, v := range m.Variances.Raw() {
		if !(v > 0) || math.IsInf(v, 1) {
			return fmt.Errorf("gmm: variance %d of component %d is %v, not a positive number", i%wide, i/wide, v)
		}
	}
	return nil
}

// Posterior returns the soft assignments q_ij = P(component j | xᵢ), n×k, and the
// logarithms of the densities p(xᵢ). nkd² flops for full covariances, 2nd² for a common
// one, 4nkd for variances.
func (m *Mixture) Posterior(ctx context.Context, x data.Vectors, workers int) (*mat.Dense, []float64, error) {
	logs := make([]float64, x.Len())
	q, err := m.blockwise(ctx, x, workers, func(w *whitening, buf *buffer, from, to int) {
		copy(logs[from:to], w.posterior(buf, x, from, to, false))
	})
	if err != nil || x.Len() == 0 {
		return q, nil, err
	}
	return q, logs, nil
}

// Joint returns ln π_j N(xᵢ | μ_j, Σ_j), n×k: the logarithm of the sum of the exponentials
// of a row is ln p(xᵢ), and their shares in that sum are the soft assignments. It is −∞
// for components of weight 0. The cost is that of [Mixture.Posterior].
func (m *Mixture) Joint(ctx context.Context, x data.Vectors, workers int) (*mat.Dense, error) {
	return m.blockwise(ctx, x, workers, func(w *whitening, buf *buffer, from, to int) { w.joint(buf, x, from, to, false) })
}

// blockwise gathers what of makes of blocks of rows in the columns q of its buffer, n×k.
func (m *Mixture) blockwise(ctx context.Context, x data.Vectors, workers int, of func(w *whitening, buf *buffer, from, to int)) (*mat.Dense, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	if x.Len() == 0 {
		return &mat.Dense{}, nil
	}
	k := m.Means.Len()
	if err := checkRows(x, m.Means.Dim()); err != nil {
		return nil, err
	}
	w, err := newWhitening(m)
	if err != nil {
		return nil, err
	}
	out, buffers := mat.NewDense(x.Len(), k, nil), make([]*buffer, max(1, workers))
	err = parallel.Each(ctx, len(buffers), pass.Blocks(x.Len()), func(worker, b int) {
		if buffers[worker] == nil {
			buffers[worker] = newBuffer(m)
		}
		from, to := pass.BlockRange(x.Len(), b)
		buf := buffers[worker]
		of(w, buf, from, to)
		simd.Transpose(out.RawMatrix().Data[from*k:to*k], k, buf.q, stride, k, to-from, 1)
	})
	return out, err
}

// Positive returns the components of positive weight: the same density.
func (m *Mixture) Positive() *Mixture {
	var keep []int
	for j, w := range m.Weights {
		if w > 0 {
			keep = append(keep, j)
		}
	}
	if len(keep) == len(m.Weights) {
		return m
	}
	out := &Mixture{Shape: m.Shape, Means: m.Means.Gather(keep), Covariances: m.Covariances}
	if m.Shape == Full {
		out.Covariances = nil
	}
	if m.Variances.Len() > 0 {
		out.Variances = m.Variances.Gather(keep)
	}
	for _, j := range keep {
		out.Weights = append(out.Weights, m.Weights[j])
		if m.Shape == Full {
			out.Covariances = append(out.Covariances, m.Covariances[j])
		}
	}
	return out
}

// checkRows wants finite rows of d columns.
func checkRows(x data.Vectors, d int) error {
	if x.Dim() != d {
		return fmt.Errorf("gmm: rows of %d columns, but the means have %d", x.Dim(), d)
	}
	if err := pass.CheckFinite(x); err != nil {
		return fmt.Errorf("gmm: %w", err)
	}
	return nil
}

// Sample draws n points from the mixture, and the component of each.
func (m *Mixture) Sample(n int, seed uint64) (data.Vectors, []int, error) {
	if err := m.Check(); err != nil {
		return data.Vectors{}, nil, err
	}
	w, err := newWhitening(m)
	if err != nil {
		return data.Vectors{}, nil, err
	}
	d, random := m.Means.Dim(), rand.New(rand.NewPCG(seed, 0))
	x, labels, normal := data.MakeVectors(n, d), make([]int, n), make([]float64, d)
	for i := range n {
		level := random.Float64()
		for labels[i] < len(m.Weights)-1 && level >= m.Weights[labels[i]] {
			level -= m.Weights[labels[i]]
			labels[i]++
		}
		for c := range normal {
			normal[c] = random.NormFloat64()
		}
		w.colour(x.At(i), normal, labels[i])
		floats.Add(x.At(i), m.Means.At(labels[i]))
	}
	return x, labels, nil
}
