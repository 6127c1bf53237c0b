package sparsegp

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/supervised/gp"
)

// Tune looks for the parameters of a kernel and the noise that make the objective largest,
// added up over the targets, with the landmarks where they are: the search of [gp.Tune]. Of the
// search options it uses those that say how to search; the noise starts at that of o.
//
// An evaluation takes 5nm² flops, 8nm bytes for Φ where [compute.FitsInMemory] allows, and nm
// kernel values and their gradients.
func Tune[T any](ctx context.Context, k kernel.Kernel[T], xs, at data.Set[T], y *mat.Dense, o Options, search gp.TuneOptions) (kernel.Kernel[T], float64, *gp.TuneReport, error) {
	if err := o.validate(xs.Len(), at.Len(), y); err != nil {
		return nil, 0, nil, err
	}
	if err := validate(k, xs, at); err != nil {
		return nil, 0, nil, err
	}
	if v, same := constantTargets(y); same {
		return nil, 0, nil, fmt.Errorf("sparsegp: all targets are %v: the evidence grows without bound as the noise and the kernel vanish; there is nothing to tune", v)
	}
	search.Options = gp.Options{Noise: o.Noise, Compute: o.Compute}
	return gp.Maximize(ctx, k, search, func(ctx context.Context, k kernel.Kernel[T], smooth kernel.Differentiable[T], noise float64) (float64, []float64, float64, error) {
		of := o
		of.Noise = noise
		return Slope(ctx, k, smooth, xs, at, y, of)
	})
}

func constantTargets(y *mat.Dense) (value float64, same bool) {
	value = y.At(0, 0)
	rows, cols := y.Dims()
	for i := range rows {
		for j := range cols {
			if y.At(i, j) != value {
				return value, false
			}
		}
	}
	return value, true
}

// Slope returns the objective, added up over the targets, with its derivatives in the
// parameters of the kernel, on the scale of [kernel.Differentiable], and in ln σ²: a
// [gp.Objective]. Without smooth, which is k with its gradient, theta is nil.
func Slope[T any](ctx context.Context, k kernel.Kernel[T], smooth kernel.Differentiable[T], xs, at data.Set[T], y *mat.Dense, o Options) (value float64, theta []float64, dLogNoise float64, err error) {
	f, err := newFeatures(ctx, gram.OnLandmarks(k, xs, at, nil, o.Compute), y, &o)
	if err != nil {
		return 0, nil, 0, err
	}
	s, err := f.solve(ctx, y, &o)
	if err != nil {
		return 0, nil, 0, err
	}
	for j := range s.targets() {
		value += s.evidence(j).total()
	}
	d, err := sensitivityOf(ctx, s, smooth, xs, at)
	if err != nil {
		return 0, nil, 0, err
	}
	if smooth == nil {
		return value, nil, d.noise, nil
	}
	dk, err := d.byLandmarks(ctx)
	if err != nil {
		return 0, nil, 0, err
	}
	raw := dk.RawSymmetric()
	own, err := kernel.Contract(ctx, smooth, at, kernel.Tile{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, o.Compute.Workers)
	if err != nil {
		return 0, nil, 0, err
	}
	floats.Add(d.theta, own)
	return value, d.theta, d.noise, nil
}
