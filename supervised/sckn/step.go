package sckn

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
)

// The shares of what was in the means of derivatives and of their squared lengths, as usual.
const (
	momentum = 0.9
	memory   = 0.999
)

// steps moves the filters by every row once, in batches.
func (d *descent) steps(ctx context.Context, epoch int) error {
	n := len(d.halves[0]) + len(d.halves[1])
	r := rand.New(rand.NewPCG(d.o.Seed, uint64(epoch)+1))
	order := r.Perm(n)
	size := cmp.Or(d.o.Batch, max(1, min(defaultBatch, n/10)))
	for from := 0; from < n; from += size {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := d.step(ctx, order[from:min(from+size, n)], r); err != nil {
			return err
		}
	}
	return nil
}

// step moves the filters by a batch; rows count from the first half on to the second.
func (d *descent) step(ctx context.Context, batch []int, r *rand.Rand) error {
	first := len(d.halves[0])
	rows, half := make([]int, len(batch)), make([]int, len(batch))
	total := 0.0
	for t, i := range batch {
		rows[t], half[t] = d.halves[0][min(i, first-1)], 0
		if i >= first {
			rows[t], half[t] = d.halves[1][i-first], 1
		}
		total += d.weights[rows[t]]
	}
	if total == 0 {
		return nil
	}
	images := data.Gather(d.xs, rows)
	if a := d.o.Augment; a != (Augmentation{}) {
		for t, i := range rows {
			a.apply(images.At(t), d.xs.At(i), d.m.Network(), r)
		}
	}
	slopes, err := d.m.Pull(ctx, images, func(dst, phi []float64, t int) {
		h := d.heads[1-half[t]]
		rest := make([]float64, d.outputs())
		h.rest(rest, phi, d.y.RawRowView(rows[t]))
		floats.Scale(2*d.weights[rows[t]]/total, rest)
		for j := range dst {
			dst[j] = floats.Dot(h.w.RawRowView(j), rest)
		}
	})
	if err != nil {
		return err
	}
	d.told[taken]++
	for l := range slopes {
		d.turn(l, slopes[l])
	}
	return d.m.Set(ctx, d.at)
}

// turn moves the filters of a layer on their spheres.
func (d *descent) turn(l int, slope []float64) {
	filters := len(d.second[l])
	size := len(slope) / filters
	unbiased, squared := 1-math.Pow(momentum, d.told[taken]), 1-math.Pow(memory, d.told[taken])
	for j := range filters {
		z, g, mean := d.at[l][j*size:(j+1)*size], slope[j*size:(j+1)*size], d.mean[l][j*size:(j+1)*size]
		floats.AddScaled(g, -floats.Dot(g, z), z)
		floats.Scale(momentum, mean)
		floats.AddScaled(mean, 1-momentum, g)
		d.second[l][j] = memory*d.second[l][j] + (1-memory)*floats.Dot(g, g)
		if d.second[l][j] == 0 {
			continue
		}
		floats.AddScaled(z, -d.told[rate]/unbiased/math.Sqrt(d.second[l][j]/squared), mean)
		floats.Scale(1/floats.Norm(z, 2), z)
		floats.AddScaled(mean, -floats.Dot(mean, z), z) // into the tangent where it is now
	}
}
