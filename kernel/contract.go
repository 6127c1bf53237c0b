package kernel

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
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
// triangle of m (b ≥ a) is read, so the raw storage of a mat.SymDense will do. Pairs whose
// element is zero cost next to nothing.
//
// Contract takes n²/2 gradients. It needs no memory beyond n/32 partial sums, but for a
// product, power, series or exponential it needs n² numbers for each part with
// parameters: by the chain rule their share is the contraction of the part with M∘∂f/∂kₚ,
// which may have a fast path of its own. It is parallel on the given number of workers (0 means all
// cores), has the same bits for any number, and stops within a few rows of ctx ending.
func Contract[T any](ctx context.Context, k Differentiable[T], xs data.Set[T], m Tile, workers int) ([]float64, error) {
	if n := xs.Len(); m.Rows != n || m.Cols != n {
		return nil, fmt.Errorf("kernel: contracting a %d×%d matrix with the gradient of %d points: the sizes must agree", m.Rows, m.Cols, n)
	}
	if err := notDifferentiable[T](k); err != nil {
		return nil, fmt.Errorf("kernel: contracting with the gradient of %s: %w", k, err)
	}
	if len(k.Parameters()) == 0 {
		return []float64{}, nil
	}
	switch k := k.(type) {
	case Sum[T]:
		return contractSum(ctx, k, xs, m, workers)
	case Scaled[T]:
		return contractScaled(ctx, k, xs, m, workers)
	case assembled[T]:
		return contractAssembled(ctx, k, xs, m, workers)
	case mapped[T]:
		return k.contractImages(ctx, xs, m, workers)
	}
	if c, ok := familyOf[T](k).(Contractor[T]); ok {
		if g, err := c.Contract(ctx, k, xs, m, workers); g != nil || err != nil {
			return g, err
		}
	}
	return ContractPointwise(ctx, k, xs, m, workers)
}

// ContractPointwise is [Contract] by EvalGrad alone: the slow obvious path.
func ContractPointwise[T any](ctx context.Context, k Differentiable[T], xs data.Set[T], m Tile, workers int) ([]float64, error) {
	n, p := xs.Len(), len(k.Parameters())
	return parallel.SumBlocks(ctx, workers, n, contractRows, p, func(sum []float64, from, to int) {
		grad := make([]float64, p)
		for a := from; a < to && ctx.Err() == nil; a++ {
			x, row := xs.At(a), m.Row(a)
			for b := a; b < n; b++ {
				w := 2 * row[b]
				if a == b {
					w = row[b]
				}
				if w == 0 {
					continue
				}
				k.EvalGrad(grad, x, xs.At(b))
				for j, g := range grad {
					sum[j] += w * g
				}
			}
		}
	})
}
