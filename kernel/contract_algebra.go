package kernel

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
)

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
		sum, err := parallel.SumBlocks(ctx, workers, n, contractRows, 1, func(sum []float64, from, to int) {
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

// mapped kernels are others after a map without parameters, whose contraction is that of the other
// at the images: each point is mapped once, and not once for each pair.
type mapped[T any] interface {
	contractImages(ctx context.Context, xs data.Set[T], m Tile, workers int) ([]float64, error)
}

func (k Composed[S, T]) contractImages(ctx context.Context, xs data.Set[S], m Tile, workers int) ([]float64, error) {
	return Contract(ctx, k.Of.(Differentiable[T]), k.Images(xs), m, workers)
}

// contractAssembled is the chain rule for f(k₁, k₂, …): the share of the parameters of
// part p is the contraction of that part with M_ab·∂f/∂kₚ at (xₐ, x_b).
func contractAssembled[T any](ctx context.Context, k assembled[T], xs data.Set[T], m Tile, workers int) ([]float64, error) {
	n, parts := xs.Len(), k.Parts()
	bound, weights := make([]Pairs, len(parts)), make([]Tile, len(parts))
	for p, part := range parts {
		bound[p] = Bind(part, xs, xs)
		if arity(part) > 0 {
			weights[p] = NewTile(n, n)
		}
	}
	_, err := parallel.SumBlocks(ctx, workers, n, contractRows, 0, func(_ []float64, from, to int) {
		values, slopes := make([]float64, len(parts)), make([]float64, len(parts))
		tiles := make([]Tile, len(parts))
		for p := range tiles {
			tiles[p] = NewTile(to-from, n-from)
			bound[p].Tile(tiles[p], from, from)
		}
		for a := from; a < to; a++ {
			for b := a; b < n; b++ {
				for p := range tiles {
					values[p] = tiles[p].Row(a - from)[b-from]
				}
				k.slopes(slopes, values)
				for p, w := range weights {
					if w.Data != nil {
						w.Row(a)[b] = m.Row(a)[b] * slopes[p]
					}
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	all := make([]float64, 0, arities(parts))
	for p, part := range parts {
		if weights[p].Data == nil {
			continue
		}
		g, err := Contract(ctx, part.(Differentiable[T]), xs, weights[p], workers)
		if err != nil {
			return nil, err
		}
		all = append(all, g...)
	}
	return all, nil
}
