package nystrom

import (
	"context"
	"encoding/gob"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() { gob.Register(onLandmarks{}) }

// onLandmarks puts a kernel on landmarks of Dim coordinates.
type onLandmarks struct {
	Dim int
	X   []float64
}

// Make is [On].
func (c onLandmarks) Make(ctx context.Context, of kernel.Kernel[[]float64], o compute.Options) (kernel.Kernel[[]float64], error) {
	xs, err := data.NewVectors(len(c.X)/max(1, c.Dim), c.Dim, c.X)
	if err != nil {
		return nil, err
	}
	return On(ctx, of, xs, o)
}

// Construction returns the original kernel and the landmarks, where these are vectors.
func (n *Kernel[T]) Construction() (of kernel.Kernel[[]float64], by pass.Construction, ok bool) {
	on, ok := any(n).(*Kernel[[]float64])
	if !ok {
		return nil, nil, false
	}
	c := onLandmarks{Dim: len(on.landmarks.At(0))}
	for i := range on.landmarks.Len() {
		c.X = append(c.X, on.landmarks.At(i)...)
	}
	return on.of, c, true
}

var _ pass.Constructed = (*Kernel[[]float64])(nil)
