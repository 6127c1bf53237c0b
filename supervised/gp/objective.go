package gp

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// byMatrix is the [Objective] of a criterion that is a function of K.
type byMatrix[T any] struct {
	xs      data.Set[T]
	compute compute.Options
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
	o      Options
	pivots []float64 // those of the first kernel, then −1
}

func newByProducts[T any](xs data.Set[T], y []float64, o Options) *byProducts[T] {
	o.Compute.Checkpoint = nil // an evaluation is one step
	return &byProducts[T]{xs: xs, y: y, o: o, pivots: slices.Repeat([]float64{-1}, gram.PreconditionerRank(xs.Len()))}
}

// given returns the pivots, nil before there are any.
func (o *byProducts[T]) given() []int {
	var out []int
	for _, p := range o.pivots {
		if p >= 0 {
			out = append(out, int(p))
		}
	}
	return out
}

func (o *byProducts[T]) slope(ctx context.Context, k kernel.Kernel[T], smooth kernel.Differentiable[T], noise float64) (value float64, theta []float64, dLogNoise float64, err error) {
	at := o.o
	at.Noise = noise
	by, pivots, err := at.slopeByProducts(ctx, gram.Of(kernel.Bind(k, o.xs, o.xs), at.Compute), o.y, o.given())
	if err != nil {
		return 0, nil, 0, err
	}
	for i := range o.pivots {
		if o.pivots[i] = -1; i < len(pivots) {
			o.pivots[i] = float64(pivots[i])
		}
	}
	if smooth != nil {
		theta, err = gradient(ctx, by.dK, smooth, o.xs, at.Compute.Workers)
	}
	return by.logEvidence, theta, by.dLogNoise, err
}
