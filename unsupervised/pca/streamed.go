package pca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/passes"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
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

// share returns pᵢ.
func (a *streamed) share(i int) float64 {
	if a.weights == nil {
		return a.inverseWeight
	}
	return a.weights[i] * a.inverseWeight
}

func (a *streamed) dims() (n, d int) { return a.xs.Len(), a.xs.Dim() }
func (a *streamed) mean() []float64  { return a.mu }
func (a *streamed) total() float64   { return a.squares }

// average computes the mean about the first row, so that it is right to the spread of the rows
// and not to their distance from the origin.
func (a *streamed) average(ctx context.Context) error {
	n, d := a.dims()
	origin := slices.Clone(a.xs.At(0))
	count := passes.SlabsFor(n, d)
	sums, strays := make([][]float64, count), make([]error, count)
	err := passes.Each(ctx, a.xs, count, a.workers, func(_, lane, b int, rows data.Vectors) {
		if sums[lane] == nil {
			sums[lane] = make([]float64, d)
		}
		from, _ := passes.BlockRange(n, b)
		for i := range rows.Len() {
			p := a.share(from + i)
			for j, v := range rows.At(i) {
				sums[lane][j] += p * (v - origin[j])
				if (math.IsNaN(v) || math.IsInf(v, 0)) && strays[lane] == nil {
					strays[lane] = fmt.Errorf("pca: column %d of row %d is %v, not a finite number", j, from+i, v)
				}
			}
		}
	})
	if err != nil {
		return err
	}
	copy(a.mu, origin)
	for lane, sum := range sums {
		if strays[lane] != nil {
			return strays[lane]
		}
		floats.Add(a.mu, sum)
	}
	return nil
}

// accumulate adds to sum what it makes of a block of rows of A, r×d.
type accumulate func(sum []float64, rows blas64.General, p level3.Implementation)

// pass adds up what add makes of blocks of rows, in sums of so many numbers, as a step of the
// checkpoint. The mean is off the rows but for its own rounding, s = Σ √pᵢaᵢ, which is returned:
// Σ aᵢaᵢᵀ is off by ssᵀ.
func (a *streamed) pass(ctx context.Context, numbers int, add accumulate) (sum, s []float64, err error) {
	sum, s = make([]float64, numbers), make([]float64, a.xs.Dim())
	squares := make([]float64, 1)
	err = a.compute.Step(ctx, "pass", [][]float64{sum, s, squares}, func() error {
		squares[0], err = a.sums(ctx, sum, s, add)
		return err
	})
	a.squares = squares[0] - floats.Dot(s, s)
	return sum, s, err
}

// sums is the pass itself; it returns the sum of squares.
func (a *streamed) sums(ctx context.Context, sum, s []float64, add accumulate) (squares float64, err error) {
	n, d := a.dims()
	count := passes.SlabsFor(n, len(sum))
	type lane struct {
		sum, s  []float64
		squares float64
	}
	all, buffers := make([]lane, count), make([][]float64, max(1, a.workers))
	p := level3.Implementation{Workers: max(1, a.workers/count)}
	err = passes.Each(ctx, a.xs, count, a.workers, func(worker, at, b int, rows data.Vectors) {
		if buffers[worker] == nil {
			buffers[worker] = make([]float64, passes.BlockRows*d)
		}
		l := &all[at]
		if l.sum == nil {
			l.sum, l.s = make([]float64, len(sum)), make([]float64, d)
		}
		from, to := passes.BlockRange(n, b)
		block := blas64.General{Rows: to - from, Cols: d, Stride: d, Data: buffers[worker]}
		for i := range block.Rows {
			row, root := block.Data[i*d:(i+1)*d], math.Sqrt(a.share(from+i))
			floats.SubTo(row, rows.At(i), a.mu)
			floats.Scale(root, row)
			floats.AddScaled(l.s, root, row)
			l.squares += floats.Dot(row, row)
		}
		add(l.sum, block, p)
	})
	if err != nil {
		return 0, err
	}
	for _, l := range all {
		floats.Add(sum, l.sum)
		floats.Add(s, l.s)
		squares += l.squares
	}
	return squares, nil
}

// gramian returns AᵀA·v for the columns of v.
func (a *streamed) gramian(ctx context.Context, v *mat.Dense) (*mat.Dense, error) {
	d, cols := v.Dims()
	sum, s, err := a.pass(ctx, d*cols, func(sum []float64, rows blas64.General, p level3.Implementation) {
		scores := blas64.General{Rows: rows.Rows, Cols: cols, Stride: cols, Data: make([]float64, rows.Rows*cols)}
		p.Gemm(blas.NoTrans, blas.NoTrans, 1, rows, v.RawMatrix(), 0, scores)
		p.Gemm(blas.Trans, blas.NoTrans, 1, rows, scores, 1, blas64.General{Rows: d, Cols: cols, Stride: cols, Data: sum})
	})
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
	sum, s, err := a.pass(ctx, m*m, func(sum []float64, rows blas64.General, p level3.Implementation) {
		z := rows
		if v != nil {
			z = blas64.General{Rows: rows.Rows, Cols: m, Stride: m, Data: make([]float64, rows.Rows*m)}
			p.Gemm(blas.NoTrans, blas.NoTrans, 1, rows, v.RawMatrix(), 0, z)
		}
		p.Syrk(blas.Trans, 1, z, 1, blas64.Symmetric{Uplo: blas.Upper, N: m, Stride: m, Data: sum})
	})
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
