package krr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Updatable is a ridge regression whose rows come and go: its targets and weights, and the
// Cholesky factor L of M = W^½KW^½ + R·I. Rows border M, or are taken out of it, at n² flops
// each, where a new fit takes n³/3 multiplications.
//
// The ridge R stays. A fixed λ = R/N would move the whole diagonal with N = Σ wᵢ, and no
// factor survives that: such an update is a new [Fit].
type Updatable struct {
	Y           *mat.Dense
	Weights     []float64 // nil: all ones
	NoIntercept bool
	Ridge       float64
	L           *linalg.UpdatableFactor

	stages model.Run
}

// NewUpdatable factors the system of the options for the symmetric operator k: cost and errors
// are those of [Solve] with [Packed], and 4n² bytes besides.
func NewUpdatable(ctx context.Context, k gram.Operator, y *mat.Dense, o Options) (*Updatable, error) {
	n, _ := k.Dims()
	if err := o.Check(n, y); err != nil {
		return nil, err
	}
	o.Solver, o.Compute.Precision = Packed, compute.Double
	s, err := space.DualOf(ctx, k, o.Space())
	if err != nil {
		return nil, err
	}
	j := newJob(y, &o)
	f := &Updatable{Y: y, Weights: o.Weights, NoIntercept: o.NoIntercept, Ridge: j.report.Ridge}
	factor, ran, err := s.FactorPacked(ctx, j.sys.w(), f.Ridge)
	if err != nil {
		return nil, j.explain(err)
	}
	f.L, f.stages = factor.Updatable(), ran
	return f, nil
}

// Append adds k rows at the end: cross (k×n) has their kernel values against the rows there
// are, block (k×k) those among themselves; nil weights are ones. n²k + nk² + k³/3
// multiplications, of which how.Progress hears. After an error f is as before.
func (f *Updatable) Append(ctx context.Context, cross *mat.Dense, block mat.Symmetric, y *mat.Dense, weights []float64, how compute.Options) error {
	watch, n, k := model.NewStopwatch(), f.L.Dim(), block.SymmetricDim()
	o := Options{Ridge: f.Ridge, Weights: weights}
	if err := o.Check(k, y); err != nil {
		return err
	}
	if _, m := f.Y.Dims(); y.RawMatrix().Cols != m {
		return fmt.Errorf("krr: rows of %d targets cannot join rows of %d", y.RawMatrix().Cols, m)
	}
	s := newSystem(y, weights, false)
	shift := s.shift(f.Ridge)
	beside, among := mat.DenseCopyOf(cross), mat.NewSymDense(k, nil)
	for i := range k {
		for j, v := range beside.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return infinite(j, n+i, v)
			}
			beside.Set(i, j, s.s[i]*math.Sqrt(model.Weight(f.Weights, j))*v)
		}
		for j := range i + 1 {
			v := block.At(i, j)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return infinite(n+j, n+i, v)
			}
			among.SetSym(i, j, s.s[i]*s.s[j]*v)
		}
		among.SetSym(i, i, among.At(i, i)+shift[i])
	}
	if err := f.L.Append(ctx, beside, among, linalgOptions(how)); err != nil {
		return (&job{report: &Report{Ridge: f.Ridge, Lambda: f.Ridge / s.total}}).notDefinite(err)
	}
	all := new(mat.Dense)
	all.Stack(f.Y, y)
	f.Y = all
	if f.Weights != nil || weights != nil {
		joined := make([]float64, 0, n+k)
		for i := range n {
			joined = append(joined, model.Weight(f.Weights, i))
		}
		for i := range k {
			joined = append(joined, model.Weight(weights, i))
		}
		f.Weights = joined
	}
	watch.Lap(&f.stages, "append")
	return nil
}

// Remove takes out rows, given by their numbers from 0: at most 2n² multiplications each.
func (f *Updatable) Remove(ctx context.Context, rows []int, how compute.Options) error {
	watch := model.NewStopwatch()
	n, m := f.Y.Dims()
	left, err := data.Without(n, rows)
	if err != nil {
		return fmt.Errorf("krr: %w", err)
	}
	if err := f.L.Restrict(ctx, left, linalgOptions(how)); err != nil {
		return err
	}
	y := mat.NewDense(len(left), m, nil)
	for to, from := range left {
		y.SetRow(to, f.Y.RawRowView(from))
	}
	f.Y = y
	if f.Weights != nil {
		f.Weights = data.Pick(f.Weights, left)
	}
	watch.Lap(&f.stages, "remove")
	return nil
}

// Solve returns the fit to the rows there are now. The residual is computed from the kernel
// values of k, in their order, and a step of iterative refinement made where it exceeds
// 1e-12: what many changes have left of the factor shows there. n² kernel values and 4n²
// flops for each target; leave-one-out residuals take another n³/3 multiplications.
func (f *Updatable) Solve(ctx context.Context, k gram.Operator, loo bool, how compute.Options) (*Solution, *Report, error) {
	if n, cols := k.Dims(); n != f.L.Dim() || cols != n {
		return nil, nil, fmt.Errorf("krr: the Gram matrix is %d×%d, and the factor of order %d: they must be of the same rows", n, cols, f.L.Dim())
	}
	o := Options{Ridge: f.Ridge, Weights: f.Weights, NoIntercept: f.NoIntercept, LOO: loo, Solver: Packed, Compute: how}
	if err := o.Check(f.L.Dim(), f.Y); err != nil {
		return nil, nil, err
	}
	s, err := space.DualOf(ctx, k, o.Space())
	if err != nil {
		return nil, nil, err
	}
	j := newJob(f.Y, &o)
	j.ran(s)
	j.report.Why, j.report.Run = "the factor is kept for rows that come and go", f.stages
	return j.solve(ctx, s.Known(f.L.CholeskyFactor(linalgOptions(how))))
}
