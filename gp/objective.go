package gp

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
)

// byMatrix is the [Objective] of a criterion that is a function of K.
type byMatrix[T any] struct {
	xs      data.Set[T]
	compute gram.Options
	// criterion overwrites K.
	criterion func(ctx context.Context, k *mat.SymDense, noise float64) (*Sensitivity, error)
	k         *mat.SymDense // filled again for every kernel
}

func (o *byMatrix[T]) slope(ctx context.Context, k kernel.Kernel[T], smooth kernel.Differentiable[T], noise float64) (value float64, theta []float64, dLogNoise float64, err error) {
	if o.k == nil {
		o.k = mat.NewSymDense(o.xs.Len(), nil)
	}
	if err := gram.Fill(ctx, o.k, kernel.Bind(k, o.xs, o.xs), o.compute); err != nil {
		return 0, nil, 0, err
	}
	s, err := o.criterion(ctx, o.k, noise)
	if err != nil {
		return 0, nil, 0, err
	}
	if smooth != nil {
		raw := s.DK.RawSymmetric()
		theta, err = kernel.Contract(ctx, smooth, o.xs, kernel.Tile{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, o.compute.Workers)
	}
	return s.LogEvidence, theta, s.DLogNoise, err
}

// byProducts is the [Objective] of the solver [CG]: see [Options.slopeByProducts].
type byProducts[T any] struct {
	xs     data.Set[T]
	y      []float64
	o      *Options
	pivots []int // those of the first kernel
}

func (o *byProducts[T]) slope(ctx context.Context, k kernel.Kernel[T], smooth kernel.Differentiable[T], noise float64) (value float64, theta []float64, dLogNoise float64, err error) {
	at := *o.o
	at.Noise = noise
	by, pivots, err := at.slopeByProducts(ctx, gram.Of(kernel.Bind(k, o.xs, o.xs), at.Compute), o.y, o.pivots)
	if err != nil {
		return 0, nil, 0, err
	}
	if o.pivots = pivots; smooth != nil {
		theta, err = gradient(ctx, by.dK, smooth, o.xs, at.Compute.Workers)
	}
	return by.logEvidence, theta, by.dLogNoise, err
}
