package nystrom

import (
	"context"
	"encoding/gob"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() { gob.Register(onLandmarks{}) }

// onLandmarks puts a kernel on landmarks.
type onLandmarks struct{ At pass.Points }

// Make is [On].
func (c onLandmarks) Make(ctx context.Context, of kernel.Kernel[[]float64], o compute.Options) (kernel.Kernel[[]float64], error) {
	xs, err := c.At.Vectors()
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
	return on.of, onLandmarks{pass.PointsOf(on.landmarks)}, true
}

var _ pass.Constructed = (*Kernel[[]float64])(nil)
