package kernel

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"mercer/data"
)

// contractRows is the number of rows in one unit of work of [Contract]. Partial
// sums are kept per unit and added in order, so that the result has the same bits
// for any number of workers.
const contractRows = 32

// Contractor is a [Family] with a fast path for [Contract]. It returns nil where a
// part of k is not its own.
type Contractor[T any] interface {
	Family[T]
	Contract(ctx context.Context, k Differentiable[T], xs data.Set[T], m Tile, workers int) ([]float64, error)
}

// Contract returns, for every parameter θⱼ of k, the contraction
//
//	gⱼ = Σₐ Σ_b M_ab ∂k(xₐ, x_b)/∂θⱼ
//
// of the symmetric matrix M with the derivative of the Gram matrix, on the scale of
// [Differentiable]. It is the gradient of every criterion that depends on θ through
// K alone, with M = ∂criterion/∂K (evidence, leave-one-out error). Only the upper
// triangle of m (b ≥ a) is read, so the raw storage of a mat.SymDense will do.
//
// Contract takes n²/2 gradients and no memory beyond n/32 partial sums. It is
// parallel on the given number of workers (0 means all cores), has the same bits
// for any number, and stops within a few rows of ctx ending.
func Contract[T any](ctx context.Context, k Differentiable[T], xs data.Set[T], m Tile, workers int) ([]float64, error) {
	if n := xs.Len(); m.Rows != n || m.Cols != n {
		return nil, fmt.Errorf("kernel: contracting a %d×%d matrix with the gradient of %d points: the sizes must agree", m.Rows, m.Cols, n)
	}
	if len(k.Parameters()) == 0 {
		return []float64{}, nil
	}
	switch k := k.(type) {
	case Sum[T]:
		return contractSum(ctx, k, xs, m, workers)
	case Scaled[T]:
		return contractScaled(ctx, k, xs, m, workers)
	}
	if c, ok := familyOf[T](k).(Contractor[T]); ok {
		if g, err := c.Contract(ctx, k, xs, m, workers); g != nil || err != nil {
			return g, err
		}
	}
	return ContractPointwise(ctx, k, xs, m, workers)
}

// contractSum contracts every term on its own: the derivative of a sum is that of the
// one term that has the parameter.
func contractSum[T any](ctx context.Context, k Sum[T], xs data.Set[T], m Tile, workers int) ([]float64, error) {
	all := make([]float64, 0, k.arity())
	for _, term := range k.Terms {
		d, ok := term.(Differentiable[T])
		if !ok {
			continue // it has no parameters, or Gradient would have said no
		}
		g, err := Contract(ctx, d, xs, m, workers)
		if err != nil {
			return nil, err
		}
		all = append(all, g...)
	}
	return all, nil
}

// contractScaled multiplies the contraction of the part by the factor c. That of ln c,
// where c is a parameter, is Σₐ Σ_b M_ab k(xₐ, x_b), the sum over the tiles.
func contractScaled[T any](ctx context.Context, k Scaled[T], xs data.Set[T], m Tile, workers int) ([]float64, error) {
	var all []float64
	if ownCount(k.Factor) > 0 {
		p, n := Bind[T](k, xs, xs), xs.Len()
		sum, err := SumBlocks(ctx, n, contractRows, 1, workers, func(sum []float64, from, to int) {
			tile := NewTile(to-from, n-from)
			p.Tile(tile, from, from)
			for a := from; a < to; a++ {
				values, weights := tile.Row(a - from)[a-from:], m.Row(a)[a:]
				sum[0] -= weights[0] * values[0] // once, not twice
				for b, v := range values {
					sum[0] += 2 * weights[b] * v
				}
			}
		})
		if err != nil {
			return nil, err
		}
		all = sum
	}
	if d, ok := k.Of.(Differentiable[T]); ok {
		g, err := Contract(ctx, d, xs, m, workers)
		if err != nil {
			return nil, err
		}
		scale(k.Factor, g)
		all = append(all, g...)
	}
	return all, nil
}

// ContractPointwise is [Contract] by EvalGrad alone: the slow obvious path.
func ContractPointwise[T any](ctx context.Context, k Differentiable[T], xs data.Set[T], m Tile, workers int) ([]float64, error) {
	n, p := xs.Len(), len(k.Parameters())
	return SumBlocks(ctx, n, contractRows, p, workers, func(sum []float64, from, to int) {
		grad := make([]float64, p)
		for a := from; a < to && ctx.Err() == nil; a++ {
			x, row := xs.At(a), m.Row(a)
			for b := a; b < n; b++ {
				w := 2 * row[b]
				if a == b {
					w = row[b]
				}
				k.EvalGrad(grad, x, xs.At(b))
				for j, g := range grad {
					sum[j] += w * g
				}
			}
		}
	})
}

// SumBlocks adds up p numbers over n rows: add is called once for every block of
// rows from ≤ i < to, at most size of them, and adds the share of these rows to sum.
// Blocks run on the given number of workers (0 means all cores) and are added in
// order, so the result has the same bits for any number. It returns the error of ctx
// if that ends first.
func SumBlocks(ctx context.Context, n, size, p, workers int, add func(sum []float64, from, to int)) ([]float64, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	blocks := (n + size - 1) / size
	partial := make([]float64, blocks*p)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, blocks) {
		wg.Go(func() {
			for {
				b := int(next.Add(1)) - 1
				if b >= blocks || ctx.Err() != nil {
					return
				}
				add(partial[b*p:(b+1)*p], b*size, min(n, (b+1)*size))
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	total := make([]float64, p)
	for b := range blocks {
		for j, v := range partial[b*p : (b+1)*p] {
			total[j] += v
		}
	}
	return total, nil
}
