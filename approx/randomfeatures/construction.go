package randomfeatures

import (
	"context"
	"encoding/gob"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() { gob.Register(withFeatures{}) }

// withFeatures gives a kernel random features for points like one.
type withFeatures struct {
	Options Options
	Like    []float64
}

// Make is [New].
func (c withFeatures) Make(_ context.Context, of kernel.Kernel[[]float64], o compute.Options) (kernel.Kernel[[]float64], error) {
	c.Options.Workers = o.Workers
	return New(of, c.Like, c.Options)
}

// Construction returns the original kernel and the options, where points are vectors.
func (k *Kernel[T]) Construction() (of kernel.Kernel[[]float64], by pass.Construction, ok bool) {
	on, ok := any(k).(*Kernel[[]float64])
	if !ok {
		return nil, nil, false
	}
	return on.of, withFeatures{on.o, on.like}, true
}

var _ pass.Constructed = (*Kernel[[]float64])(nil)
