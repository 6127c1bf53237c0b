package sckn

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// blockRows is the number of rows whose features are in memory together.
const blockRows = 256

// firstShares are the λ that are tried at the start, over the trace of the covariance; later ones
// are neighbours of the best, by a factor of √10.
var firstShares = []float64{1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}

// weigh finds the weights of both halves and of all rows, and judges these by the rows kept aside,
// whose error chooses λ.
func (d *descent) weigh(ctx context.Context, first bool) error {
	var parts [2]*normal
	for h := range parts {
		parts[h] = newNormal(d.m.Dim(), d.outputs())
		err := d.blocks(ctx, d.halves[h], func(phi, y *mat.Dense, weights []float64) {
			parts[h].add(phi, y, weights, d.o.Compute.WorkerCount())
		})
		if err != nil {
			return err
		}
	}
	shares := firstShares
	if !first {
		now, step := d.told[share], math.Sqrt(10)
		shares = []float64{now * step, now, now / step}
	}
	how := linalg.Options{Workers: d.o.Compute.Workers}
	all, err := both(parts[0], parts[1]).solve(ctx, shares, how)
	if err != nil {
		return err
	}
	if err := d.judge(ctx, all, shares); err != nil {
		return err
	}
	for h := range parts {
		one, err := parts[h].solve(ctx, []float64{d.told[share]}, how)
		if err != nil {
			return err
		}
		d.heads[h] = one[0]
	}
	return nil
}

func (d *descent) outputs() int {
	_, p := d.y.Dims()
	return p
}

// judge takes the weights with the least error for the rows kept aside.
func (d *descent) judge(ctx context.Context, heads []head, shares []float64) error {
	sums, total := make([]float64, len(heads)), 0.0
	rest := make([]float64, d.outputs())
	err := d.blocks(ctx, d.judging, func(phi, y *mat.Dense, weights []float64) {
		for i, w := range weights {
			for j, h := range heads {
				h.rest(rest, phi.RawRowView(i), y.RawRowView(i))
				sums[j] += w * floats.Dot(rest, rest)
			}
			total += w
		}
	})
	best := floats.MinIdx(sums)
	d.told[judged], d.told[share] = sums[best]/total, shares[best]
	return err
}

// blocks calls do for the features, targets and weights of rows, block by block.
func (d *descent) blocks(ctx context.Context, rows []int, do func(phi, y *mat.Dense, weights []float64)) error {
	tile := kernel.NewTile(min(blockRows, len(rows)), d.m.Dim())
	for from := 0; from < len(rows); from += blockRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		block := rows[from:min(from+blockRows, len(rows))]
		tile.Rows = len(block)
		d.m.MapRows(tile, data.Subset(d.xs, block), 0)
		y, weights := mat.NewDense(len(block), d.outputs(), nil), make([]float64, len(block))
		for t, i := range block {
			y.SetRow(t, d.y.RawRowView(i))
			weights[t] = d.weights[i]
		}
		do(mat.NewDense(len(block), tile.Cols, tile.Data[:len(block)*tile.Cols]), y, weights)
	}
	return nil
}
