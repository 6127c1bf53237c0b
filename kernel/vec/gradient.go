package vec

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// contractBlock is the number of rows whose share of a gradient is summed on its own.
const contractBlock = 32

// Contract is the fast path of [kernel.Contract] for one radial kernel, on all or on
// selected columns:
//
//	gⱼ = Σ_ab M_ab ∂k_ab/∂ln σⱼ = Σ_ab w_ab ((x_aj − x_bj)/σⱼ)²,  w_ab = −2 M_ab κ′(q_ab).
//
// It takes one evaluation of κ and about 4d operations per pair, over n²/2 pairs, and
// does not allocate in between. It returns nil for any other kernel.
func (family) Contract(ctx context.Context, k kernel.Differentiable[[]float64], xs data.Set[[]float64], m kernel.Tile, workers int) ([]float64, error) {
	var columns []int
	var of Kernel = k
	if c, ok := of.(Columns); ok {
		columns, of = c.Index, c.Of
	}
	r, ok := of.(radial)
	if !ok {
		return nil, nil
	}
	w := r.widths()
	if len(w.list()) != len(k.Parameters()) {
		return nil, nil // a kernel with other parameters as well
	}
	seen := tile.Statistic{Columns: columns}
	points := seen.Points(xs)
	weights := make([]float64, points.Dim())
	for j := range weights {
		weights[j] = 1 / w.at(j)
	}
	perColumn, err := parallel.SumBlocks(ctx, workers, points.Len(), contractBlock, points.Dim(), func(sum []float64, from, to int) {
		squares := make([]float64, points.Dim())
		for a := from; a < to && ctx.Err() == nil; a++ {
			contractRow(sum, squares, weights, r, points, m.Row(a), a)
		}
	})
	if err != nil || w.each != nil {
		return perColumn, err
	}
	total := 0.0
	for _, g := range perColumn {
		total += g
	}
	return []float64{total}, nil
}

// contractRow adds the share of the pairs (a, b), b > a. A pair a = b has distance 0
// whatever the widths, so the diagonal has no share.
func contractRow(sum, squares, weights []float64, r radial, p data.Vectors, m []float64, a int) {
	x := p.At(a)
	for b := a + 1; b < p.Len(); b++ {
		if m[b] == 0 {
			continue
		}
		y, q := p.At(b), 0.0
		for j, v := range x {
			d := (v - y[j]) * weights[j]
			squares[j] = d * d
			q += squares[j]
		}
		_, qslope := r.kappa(q)
		if qslope == 0 {
			continue
		}
		w := 2 * m[b] * -2 * qslope / q
		for j, s := range squares {
			sum[j] += w * s
		}
	}
}
