package krr

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Solve finds α and b for the symmetric operator k = K (n×n) and the targets y
// (n×m). See the package comment for the problem and [Options] for the ways.
//
// Cost: n³/3 multiplications and 8n² bytes with the default solver, and n²m more for
// m targets. A [gram.FromMatrix] operator is copied, never written. Errors: every
// problem of the options; a kernel value that is not a finite number; and a matrix
// M that is not numerically positive definite, which is never repaired: the ridge
// is too small for this K, or the kernel is not positive definite. Results have the
// same bits for any number of workers. In single precision (o.Compute.Precision) it
// takes 2n² bytes.
func Solve(ctx context.Context, k gram.Operator, y *mat.Dense, o Options) (*Solution, *Report, error) {
	n, cols := k.Dims()
	if n != cols {
		return nil, nil, fmt.Errorf("krr: the Gram matrix is %d×%d: training needs a square one", n, cols)
	}
	if err := o.validate(n, y); err != nil {
		return nil, nil, err
	}
	sys := newSystem(y, o.Weights, !o.NoIntercept)
	r := &Report{N: n, Targets: sys.m, Solver: o.Solver, Why: "as asked", Precision: o.Compute.Precision.String()}
	r.Ridge = sys.ridge(o.Lambda, o.Ridge)
	r.Lambda = r.Ridge / sys.total
	job := &job{sys: sys, k: k, o: &o, report: r, watch: model.NewStopwatch()}
	if stream, ok := k.(*gram.Stream); ok {
		job.k = gram.Of(stream.Pairs(), job.double()) // residuals are computed through it
	}
	if o.Solver == Auto || o.Solver == "" {
		r.Solver, r.Why = job.automatic()
	}
	switch r.Solver {
	case Cholesky, Packed:
		if o.Compute.Precision == compute.Single {
			r.Solver = Packed
			return job.single(ctx)
		} else if r.Solver == Packed {
			return job.packed(ctx)
		}
		return job.cholesky(ctx)
	case CG:
		return job.cg(ctx)
	case Eigen:
		return job.eigen(ctx)
	default: // Primal; validate has refused everything else
		return nil, nil, fmt.Errorf("krr: solver %q needs the feature map of a kernel, and a Gram matrix has none: use Fit, or solver %q", Primal, Cholesky)
	}
}

// automatic chooses between the two storages of a Gram matrix.
func (j *job) automatic() (s Solver, why string) {
	if pairs, err := j.pairs(); err == nil {
		if s := Direct(pairs); s == Packed {
			return s, "auto: exact; half of a symmetric matrix is enough, because its elements are cheap to have again"
		}
	}
	return Cholesky, "auto: exact; the matrix is kept beside its factor, because its elements are evaluated pair by pair"
}

// Direct returns the exact solver that [Auto] is where there is no primal form: [Packed]
// for kernel values that are cheap to compute a second time for the residual, because
// they come in tiles ([kernel.Single]) or from a matrix in memory, and [Cholesky], which
// computes each once, for all others. It looks at the kernel alone, never at the memory
// or the clock.
func Direct(p kernel.Pairs) Solver {
	if _, tiles := p.(kernel.Single); tiles || gram.IsStored(p) {
		return Packed
	}
	return Cholesky
}

// job is one solve on its way.
type job struct {
	sys    *system
	k      gram.Operator
	o      *Options
	report *Report
	watch  *model.Stopwatch
}

// finish fills in what every solver reports. x solves M [u V] = [s s∘y], and kx is
// diag(s)·K·diag(s)·x.
func (j *job) finish(x, kx *mat.Dense) *Solution {
	sys, r := j.sys, j.report
	beta, bias, _, _ := sys.border(x)
	sol := &Solution{Coef: sys.coef(beta), Bias: bias}
	r.Norm2 = sys.norms(beta, bias, kx)
	train := mat.NewDense(sys.n, sys.m, nil)
	for i, s := range sys.s {
		if s == 0 {
			continue
		}
		for c, b := range beta.RawRowView(i) {
			train.Set(i, c, r.Ridge*b/s)
		}
	}
	r.Train = measure(sys.y, train, sys.weights())
	return sol
}

// norms returns αᵀKα = βᵀ(diag(s)·K·diag(s)·β), where β = V − u·b.
func (sys *system) norms(beta *mat.Dense, bias []float64, kx *mat.Dense) []float64 {
	out := make([]float64, sys.m)
	for i := range sys.n {
		row, first := kx.RawRowView(i), 0.0
		if sys.intercept {
			first, row = row[0], row[1:]
		}
		for j, b := range beta.RawRowView(i) {
			out[j] += b * (row[j] - first*bias[j])
		}
	}
	for j, v := range out {
		out[j] = max(v, 0) // −0 and rounding where f = 0
	}
	return out
}

// multiplier returns the function α ↦ K·α, for the residuals of rows of weight zero.
func multiplier(ctx context.Context, k gram.Operator) func(*mat.Dense) (*mat.Dense, error) {
	return func(coef *mat.Dense) (*mat.Dense, error) {
		f := mat.NewDense(coef.RawMatrix().Rows, coef.RawMatrix().Cols, nil)
		return f, k.Mul(ctx, f, coef)
	}
}
