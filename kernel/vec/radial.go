package vec

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// A radial kernel is κ(q) with q = Σⱼ ((xⱼ−yⱼ)/σⱼ)². The functions of this file are what the
// radial kernels share; κ is their only difference.
type radial interface {
	leaf
	// kappa returns κ(q) and q·κ′(q), which is finite even where κ′ is not.
	kappa(q float64) (value, qslope float64)
	// profile emits κ of the statistic on top of the stack, which is q·σ² for the
	// given σ.
	profile(c *compiler, sigma float64)
	widths() widths
}

// emitRadial emits the squared distance and κ of it: unweighted and divided by σ² in the profile
// where there is one width, so that a grid over σ shares it; weighted by 1/σⱼ per column otherwise.
func emitRadial(c *compiler, k radial) {
	if w := k.widths(); w.each == nil {
		c.statistic(tile.SquaredDistance, nil, 0)
		k.profile(c, w.one)
	} else {
		c.statistic(tile.SquaredDistance, w.reciprocals(), 0)
		k.profile(c, 1)
	}
}

// widthGradient stores ∂κ/∂ln σⱼ = −2 ((xⱼ−yⱼ)/σⱼ)² κ′(q) in grad and returns κ(q).
func widthGradient(k radial, grad, x, y []float64) float64 {
	w := k.widths()
	q := w.squared(x, y)
	value, qslope := k.kappa(q)
	if w.each == nil {
		grad[0] = -2 * qslope
		return value
	}
	for j, s := range w.each {
		u := (x[j] - y[j]) / s
		grad[j] = 0
		if qslope != 0 {
			grad[j] = -2 * qslope * (u * u / q)
		}
	}
	return value
}

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
