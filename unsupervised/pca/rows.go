package pca

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/linalg/level3"
)

// rows is A with products.
type rows interface {
	dims() (n, d int)
	mean() []float64
	total() float64                                             // ‖A‖² (Frobenius)
	mul(ctx context.Context, x *mat.Dense) (*mat.Dense, error)  // A·x
	mulT(ctx context.Context, y *mat.Dense) (*mat.Dense, error) // Aᵀ·y
	filled(ctx context.Context, o compute.Options) (*mat.Dense, error)
}

// filledMatrix is A by its products, and filled in where all of it is asked for.
type filledMatrix struct{ rows }

func (a filledMatrix) decompose(ctx context.Context, s Solver, o *Options) ([]float64, *mat.Dense, error) {
	if s == Krylov {
		return krylov(ctx, a.rows, o)
	}
	full, err := a.filled(ctx, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	return decompose(ctx, full, o.Compute.Factoring())
}

func (a filledMatrix) gramian(ctx context.Context, v *mat.Dense) (*mat.Dense, error) {
	scores, err := a.mul(ctx, v)
	if err != nil {
		return nil, err
	}
	return a.mulT(ctx, scores)
}

// product returns a·b or aᵀ·b, with the same bits for any number of workers.
func product(transpose blas.Transpose, a, b *mat.Dense, workers int) *mat.Dense {
	ra, rb := a.RawMatrix(), b.RawMatrix()
	m, k := ra.Rows, ra.Cols
	if transpose == blas.Trans {
		m, k = k, m
	}
	out := mat.NewDense(m, rb.Cols, nil)
	level3.Implementation{Workers: workers}.Dgemm(transpose, blas.NoTrans, m, rb.Cols, k, 1, ra.Data, ra.Stride, rb.Data, rb.Stride, 0, out.RawMatrix().Data, out.RawMatrix().Stride)
	return out
}

// dense is A in memory.
type dense struct {
	a       *mat.Dense
	mu      []float64
	workers int
}

func newDense(xs data.Vectors, shares []float64, workers int) (*dense, error) {
	n, d := xs.Len(), xs.Dim()
	a := &dense{a: mat.NewDense(n, d, nil), mu: make([]float64, d), workers: workers}
	for i := range n {
		for j, v := range xs.At(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("pca: row %d, column %d is %v, not a finite number", i, j, v)
			}
		}
		floats.AddScaled(a.mu, shares[i], xs.At(i))
	}
	// What rounding left of the mean, relative to the columns' own offset, is taken off too.
	rest := make([]float64, d)
	for i := range n {
		row := a.a.RawRowView(i)
		floats.SubTo(row, xs.At(i), a.mu)
		floats.AddScaled(rest, shares[i], row)
	}
	floats.Add(a.mu, rest)
	for i := range n {
		row := a.a.RawRowView(i)
		floats.Sub(row, rest)
		floats.Scale(math.Sqrt(shares[i]), row)
	}
	return a, nil
}

func (a *dense) dims() (n, d int) { return a.a.Dims() }
func (a *dense) mean() []float64  { return a.mu }

func (a *dense) total() float64 {
	norm := mat.Norm(a.a, 2)
	return norm * norm
}

func (a *dense) mul(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	return product(blas.NoTrans, a.a, x, a.workers), ctx.Err()
}

func (a *dense) mulT(ctx context.Context, y *mat.Dense) (*mat.Dense, error) {
	return product(blas.Trans, a.a, y, a.workers), ctx.Err()
}

func (a *dense) filled(ctx context.Context, _ compute.Options) (*mat.Dense, error) {
	return a.a, ctx.Err()
}

// sparse is A as products: the mean is never put into the rows.
type sparse struct {
	xs      *data.Sparse
	mu      []float64
	shares  []float64
	workers int
}

func newSparse(xs *data.Sparse, shares []float64, workers int) (*sparse, error) {
	a := &sparse{xs: xs, mu: make([]float64, xs.Dim()), shares: shares, workers: workers}
	for i := range xs.Len() {
		x := xs.At(i)
		for t, j := range x.Index {
			v := x.Value[t]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("pca: row %d, column %d is %v, not a finite number", i, j, v)
			}
			a.mu[j] += shares[i] * v
		}
	}
	return a, nil
}

func (a *sparse) dims() (n, d int) { return a.xs.Len(), a.xs.Dim() }
func (a *sparse) mean() []float64  { return a.mu }

// total adds (x − μ)² over the stored entries and μ² over the others, column by column.
func (a *sparse) total() float64 {
	sum, absent := 0.0, make([]float64, len(a.mu))
	for j := range absent {
		absent[j] = 1
	}
	for i, p := range a.shares {
		x := a.xs.At(i)
		for t, j := range x.Index {
			sum += p * (x.Value[t] - a.mu[j]) * (x.Value[t] - a.mu[j])
			absent[j] -= p
		}
	}
	for j, mu := range a.mu {
		sum += math.Max(0, absent[j]) * mu * mu
	}
	return sum
}

// sparseRows is the number of rows between two checks of ctx.
const sparseRows = 256

func (a *sparse) mul(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	n := a.xs.Len()
	_, cols := x.Dims()
	out, shift := mat.NewDense(n, cols, nil), make([]float64, cols)
	for j, mu := range a.mu {
		floats.AddScaled(shift, mu, x.RawRowView(j))
	}
	err := parallel.Each(ctx, a.workers, (n+sparseRows-1)/sparseRows, func(_, block int) {
		for i := block * sparseRows; i < min(n, (block+1)*sparseRows); i++ {
			row, v := out.RawRowView(i), a.xs.At(i)
			for t, j := range v.Index {
				floats.AddScaled(row, v.Value[t], x.RawRowView(int(j)))
			}
			floats.Sub(row, shift)
			floats.Scale(math.Sqrt(a.shares[i]), row)
		}
	})
	return out, err
}

func (a *sparse) mulT(ctx context.Context, y *mat.Dense) (*mat.Dense, error) {
	const parts = 16 // sums over rows that are added up in order
	n, d := a.dims()
	_, cols := y.Dims()
	sum, err := parallel.SumBlocks(ctx, a.workers, n, max(1, (n+parts-1)/parts), d*cols, func(sum []float64, from, to int) {
		for i := from; i < to; i++ {
			v, root := a.xs.At(i), math.Sqrt(a.shares[i])
			for t, j := range v.Index {
				floats.AddScaled(sum[int(j)*cols:(int(j)+1)*cols], root*v.Value[t], y.RawRowView(i))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	out, shift := mat.NewDense(d, cols, sum), make([]float64, cols)
	for i, p := range a.shares {
		floats.AddScaled(shift, math.Sqrt(p), y.RawRowView(i))
	}
	for j, mu := range a.mu {
		floats.AddScaled(out.RawRowView(j), -mu, shift)
	}
	return out, nil
}

func (a *sparse) filled(ctx context.Context, o compute.Options) (*mat.Dense, error) {
	n, d := a.dims()
	if need := 8 * int64(n) * int64(d); o.MaxMemory > 0 && need > o.MaxMemory {
		return nil, &compute.TooLarge{What: fmt.Sprintf("the %d×%d centred matrix (solver %q leaves it sparse)", n, d, Krylov), Need: need, Limit: o.MaxMemory}
	}
	out := mat.NewDense(n, d, nil)
	for i, p := range a.shares {
		row, v := out.RawRowView(i), a.xs.At(i)
		for t, j := range v.Index {
			row[j] = v.Value[t]
		}
		floats.Sub(row, a.mu)
		floats.Scale(math.Sqrt(p), row)
	}
	return out, ctx.Err()
}
