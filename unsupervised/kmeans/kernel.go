package kmeans

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Gram is a Gram matrix that can be multiplied and read: a symmetric [gram.Stream], which
// computes its elements in every product, or a [gram.Triangle] or [gram.Matrix], which
// store them.
type Gram = gram.Symmetric

// Solution is a clustering in the feature space of a kernel. The means of the clusters
// are m_j = Σ_{i∈j} (wᵢ/s_j) φ(xᵢ), s_j the weight of cluster j.
type Solution struct {
	Labels []int
	// Norms are ‖m_j‖², Distances the squared distances of the rows to their own means.
	Norms     []float64
	Distances []float64
	Masses    []float64 // s_j
	weights   []float64
}

// Coef returns the n×k coefficients 2wᵢ/s_j, for i in j, of the functions
//
//	f_j(x) = Σ_{i∈j} (2wᵢ/s_j) k(x, xᵢ) − ‖m_j‖² = k(x, x) − ‖φ(x) − m_j‖².
//
// The nearest mean is the one with the largest value: see [model.Largest]. An empty cluster
// has no coefficients, and a bias so low that it is never the largest.
func (s *Solution) Coef() *mat.Dense {
	c := mat.NewDense(len(s.Labels), len(s.Norms), nil)
	for i, j := range s.Labels {
		if s.weights[i] > 0 {
			c.Set(i, j, 2*s.weights[i]/s.Masses[j])
		}
	}
	return c
}

// Bias returns the k numbers −‖m_j‖²; for an empty cluster the most negative number.
func (s *Solution) Bias() []float64 {
	b := make([]float64, len(s.Norms))
	for j, v := range s.Norms {
		b[j] = -v
		if s.Masses[j] == 0 {
			b[j] = -math.MaxFloat64
		}
	}
	return b
}

// Fit clusters points of any type in the feature space of a kernel, by [Solve]. Kernel values
// that come in tiles are computed anew for the rows that changed their cluster, see
// [Columns], which takes less time than to read all of them from memory. Of other kernels one
// triangle of the Gram matrix is stored, in the precision of o.Compute, if it fits the
// memory limit (4 GiB without one). The outputs are the functions of [Solution.Coef], one for each
// cluster: the largest says where a new point belongs. The clusters of the points are in
// Report.Solution.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], clusters int, o Options) (model.Predictor[T], *Report, error) {
	if err := o.validateKernel(xs.Len(), clusters); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("kmeans: %w", err)
	}
	g, storage, err := BindGram(ctx, k, xs, clusters, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	s, r, err := Solve(ctx, g, clusters, o)
	if err != nil {
		return nil, nil, err
	}
	r.Storage, r.Solution = storage, s
	return &model.Expansion[T]{Kernel: k, Points: xs, Coef: s.Coef(), Bias: s.Bias()}, r, nil
}

// Solve finds k clusters of the rows of a Gram matrix with a small
// Σ wᵢ‖φ(xᵢ) − m_c(i)‖² in its feature space: kernel k-means, weighted as in Dhillon, Guan
// and Kulis, Kernel k-means, spectral clustering and normalized cuts, KDD 2004. Rows go
// to the nearest mean; a row stays where another mean is nearer by no more than rounding.
// A cluster that loses all its weight is given the row farthest from its own mean that is not
// alone there. The objective then never increases, if the matrix is positive
// semidefinite; where it is not, the report warns if the objective rose.
//
// An iteration is a product of the matrix with k columns, 2n²k flops, and 8·3nk bytes
// beside the matrix. Errors: a matrix that is not square or not finite, k > n, wrong options, the
// end of ctx.
func Solve(ctx context.Context, g Gram, k int, o Options) (*Solution, *Report, error) {
	n, cols := g.Dims()
	if n != cols {
		return nil, nil, fmt.Errorf("kmeans: a Gram matrix is square, this one is %d×%d", n, cols)
	}
	if err := o.validateKernel(n, k); err != nil {
		return nil, nil, err
	}
	r, watch := &Report{N: n, K: k}, model.NewStopwatch()
	m, err := newMembers(g, k, o)
	if err != nil {
		return nil, nil, err
	}
	var best *kernelRun
	told := o.Compute.Meter("kernel k-means", int64(o.restarts()))
	for start := range o.restarts() {
		c, err := m.run(ctx, start, o)
		if err != nil {
			return nil, nil, err
		}
		told.Add(1)
		r.Objectives = append(r.Objectives, c.objective())
		if best == nil || c.objective() < best.objective() {
			best = c
		}
	}
	watch.Lap(&r.Run, "iterate")
	r.Objective, r.Iterations, r.Converged = best.objective(), len(best.trace), best.converged
	r.Relocated, r.Trace = best.relocated, best.trace
	for i := 1; i < len(r.Trace); i++ {
		if r.Trace[i] > r.Trace[i-1]+1e3*m.tie*m.scatter {
			r.Warn("the objective rose in iteration %d: the matrix has negative eigenvalues; treat them first (clip, flip or shift)", i+1)
			break
		}
	}
	r.count(best.labels, m.w)
	return &Solution{Labels: best.labels, Norms: best.norms, Distances: best.distances, Masses: r.Masses, weights: m.w}, r, nil
}

// validateKernel checks the options of [Solve].
func (o *Options) validateKernel(n, k int) error {
	if err := o.validate(n, k); err != nil {
		return err
	}
	if o.Start.Len() > 0 {
		return fmt.Errorf("kmeans: in the space of a kernel centres are not vectors: start from labels (StartLabels)")
	}
	if o.StartLabels != nil && len(o.StartLabels) != n {
		return fmt.Errorf("kmeans: the start has %d labels for %d rows", len(o.StartLabels), n)
	}
	for i, j := range o.StartLabels {
		if j < 0 || j >= k {
			return fmt.Errorf("kmeans: label %d of the start is %d; there are clusters 0 to %d", i, j, k-1)
		}
	}
	return nil
}

// singleTie is c·2⁻²⁴ for the sums of a product in single precision, c as in package gram.
const singleTie = 66 * 0x1p-24

// kernelProblem is what all starts share.
type kernelProblem struct {
	g       Gram
	k       int
	diag, w []float64
	scatter float64 // Σ wᵢ|kᵢᵢ|
	tie     float64 // relative difference of two distances that rounding can make
	compute compute.Options
}

func newMembers(g Gram, k int, o Options) (*kernelProblem, error) {
	n, _ := g.Dims()
	m := &kernelProblem{g: g, k: k, diag: make([]float64, n), w: o.weights(n), tie: 1e-13, compute: o.Compute}
	if o.Compute.Precision == compute.Single {
		m.tie = singleTie
	}
	kernel.Diag(g.Pairs(), m.diag)
	for i, v := range m.diag {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("kmeans: the kernel of row %d with itself is %v, not a finite number", i, v)
		}
		m.scatter += m.w[i] * math.Abs(v)
	}
	return m, nil
}

// inner computes some columns of the matrix.
func (m *kernelProblem) inner(ctx context.Context, rows []int, scratch []float64) (visit, error) {
	n := len(m.diag)
	columns := scratch[:n*len(rows)]
	err := gram.Rect(ctx, mat.NewDense(n, len(rows), columns), gram.RowsOf(m.g.Pairs()).Bind(nil, rows), m.compute)
	return stored(ctx, n, len(rows), m.compute.WorkerCount(), columns), err
}

func (m *kernelProblem) holdsProducts() bool { return true }
