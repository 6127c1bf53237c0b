package pca

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/linalg"
	"example.org/mercer/pass"
)

// streamed is A with many rows, which are read in passes; nothing of their number is held. All
// that is asked of A are second moments AᵀA, in some basis.
type streamed struct {
	xs            data.Rows
	weights       []float64 // nil: all ones
	inverseWeight float64   // 1/Σw
	mu            []float64
	squares       float64 // ‖A‖², once a pass has seen it
	workers       int
	compute       compute.Options // passes are steps of its checkpoint
}

func newStreamed(ctx context.Context, xs data.Rows, o *Options) (*streamed, error) {
	a := &streamed{xs: xs, weights: o.Weights, inverseWeight: 1 / float64(xs.Len()), workers: o.Compute.WorkerCount(), compute: o.Compute}
	if o.Weights != nil {
		a.inverseWeight = 1 / floats.Sum(o.Weights)
	}
	a.mu = make([]float64, xs.Dim())
	return a, a.compute.Step(ctx, "mean", [][]float64{a.mu}, func() error { return a.average(ctx) })
}

// share stores pᵢ.
func (a *streamed) share(p []float64, i int) {
	p[0] = a.inverseWeight
	if a.weights != nil {
		p[0] *= a.weights[i]
	}
}

func (a *streamed) dims() (n, d int) { return a.xs.Len(), a.xs.Dim() }
func (a *streamed) mean() []float64  { return a.mu }
func (a *streamed) total() float64   { return a.squares }

// average computes the mean about the first row, so that it is right to the spread of the rows
// and not to their distance from the origin.
func (a *streamed) average(ctx context.Context) error {
	origin := slices.Clone(a.xs.At(0))
	sums, err := pass.Reduce(ctx, a.xs, pass.Sums{Work: pass.WeightedSum{Origin: origin}, In: a.share}, a.compute)
	if err != nil {
		return err
	}
	for _, sum := range sums {
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			return fmt.Errorf("pca: %w", cmp.Or(pass.CheckFinite(a.xs), errors.New("the sum of the rows is beyond the largest number: rescale the columns")))
		}
	}
	floats.AddTo(a.mu, origin, sums)
	return nil
}

// pass adds up what work makes of the rows, as a step of the checkpoint. The mean is off the rows
// but for its own rounding, s = Σ √pᵢaᵢ, which is returned: Σ aᵢaᵢᵀ is off by ssᵀ.
func (a *streamed) pass(ctx context.Context, work pass.Work) (sum, s []float64, err error) {
	d := a.xs.Dim()
	_, _, numbers := work.Sizes(d)
	all := make([]float64, numbers)
	err = a.compute.Step(ctx, "pass", [][]float64{all}, func() error {
		found, err := pass.Reduce(ctx, a.xs, pass.Sums{Work: work, In: a.share}, a.compute)
		copy(all, found)
		return err
	})
	sum, s = all[:numbers-d-1], all[numbers-d-1:numbers-1]
	a.squares = all[numbers-1] - floats.Dot(s, s)
	return sum, s, err
}

// gramian returns AᵀA·v for the columns of v.
func (a *streamed) gramian(ctx context.Context, v *mat.Dense) (*mat.Dense, error) {
	d, cols := v.Dims()
	sum, s, err := a.pass(ctx, gramian{a.mu, v})
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(d, cols, sum)
	along := mat.NewVecDense(cols, nil)
	along.MulVec(v.T(), mat.NewVecDense(d, s))
	out.RankOne(out, -1, mat.NewVecDense(d, s), along)
	return out, nil
}

// moments returns G = (AV)ᵀAV; a nil V is I.
func (a *streamed) moments(ctx context.Context, v *mat.Dense) (*mat.SymDense, error) {
	_, d := a.dims()
	m := d
	if v != nil {
		_, m = v.Dims()
	}
	sum, s, err := a.pass(ctx, moments{a.mu, v})
	if err != nil {
		return nil, err
	}
	along := mat.NewVecDense(d, s)
	if v != nil {
		along = mat.NewVecDense(m, nil)
		along.MulVec(v.T(), mat.NewVecDense(d, s))
	}
	g := mat.NewSymDense(m, sum)
	g.SymRankOne(g, -1, along)
	return g, nil
}

func (a *streamed) decompose(ctx context.Context, s Solver, o *Options) ([]float64, *mat.Dense, error) {
	if s == Krylov {
		basis, err := a.krylov(ctx, o)
		if err != nil {
			return nil, nil, err
		}
		return a.principal(ctx, basis)
	}
	return a.principal(ctx, nil)
}

// krylov returns an orthonormal basis of the span of [AᵀAΠ, …, (AᵀA)^(q+1) Π]: that of [krylov]
// on the other side, where no vector has as many numbers as there are rows.
func (a *streamed) krylov(ctx context.Context, o *Options) (*mat.Dense, error) {
	n, d := a.dims()
	width, count := o.block(n, d)
	apply := func(block *mat.Dense) (*mat.Dense, error) { return a.gramian(ctx, block) }
	start, err := apply(gaussian(d, width, o.Seed))
	if err != nil {
		return nil, err
	}
	return subspace(d, width, count, o, start, apply)
}

// principal returns the singular values of AV, descending, and the right singular vectors of A in
// the span of V in rows; a nil V is I. Eigenvectors of the moments G = (AV)ᵀAV bring V near
// them. As G has the squares of the singular values, columns of AV below √ε·σ₁ are not orthogonal
// to working accuracy then; but the moments in the new basis are, relative to these columns
// themselves, and rotations that make them diagonal repair it. Mostly one pass finds nothing to
// repair.
func (a *streamed) principal(ctx context.Context, v *mat.Dense) ([]float64, *mat.Dense, error) {
	n, d := a.dims()
	g, err := a.moments(ctx, v)
	if err != nil {
		return nil, nil, err
	}
	e, err := linalg.EigenSym(ctx, g, linalg.Options{Workers: a.workers})
	if err != nil {
		return nil, nil, fmt.Errorf("pca: %w", err)
	}
	turn := e.Vectors
	for range sweeps {
		if v == nil {
			v = mat.DenseCopyOf(turn)
		} else {
			v = product(blas.NoTrans, v, turn, a.workers)
		}
		if g, err = a.moments(ctx, v); err != nil {
			return nil, nil, err
		}
		if turn, err = diagonalise(ctx, g, n, d); err != nil || turn == nil {
			break
		}
	}
	if err != nil {
		return nil, nil, err
	}
	_, m := v.Dims()
	values := make([]float64, m)
	for i := range values {
		values[i] = math.Sqrt(math.Max(0, g.At(i, i)))
	}
	order := descending(values)
	sorted, right := make([]float64, m), mat.NewDense(m, d, nil)
	for to, from := range order {
		sorted[to] = values[from]
		right.SetRow(to, mat.Col(nil, from, v))
	}
	return sorted, right, nil
}
