package pass

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Constructed is a kernel that no expression holds, such as one on landmarks: it is made from
// another one.
type Constructed interface {
	// Construction returns that other kernel, and how this one is made from it; ok is false where
	// it cannot be sent.
	Construction() (of kernel.Kernel[[]float64], by Construction, ok bool)
}

// Construction makes a kernel from another one, with the same bits wherever that is done. Its
// fields are exported, and its type is known to encoding/gob.
type Construction interface {
	Make(ctx context.Context, of kernel.Kernel[[]float64], o compute.Options) (kernel.Kernel[[]float64], error)
}

// Points are vectors as they are sent.
type Points struct {
	Dim int
	X   []float64
}

// PointsOf returns vectors as they are sent.
func PointsOf(xs data.Set[[]float64]) Points {
	p := Points{Dim: len(xs.At(0))}
	for i := range xs.Len() {
		p.X = append(p.X, xs.At(i)...)
	}
	return p
}

// Vectors returns the points.
func (p Points) Vectors() (data.Vectors, error) {
	return data.NewVectors(len(p.X)/max(1, p.Dim), p.Dim, p.X)
}

// Expression takes a kernel apart: into the expression of one, and what is made of that, the first
// step first. ok is false where a step cannot be sent.
func Expression(k kernel.Kernel[[]float64]) (text string, steps []Construction, ok bool) {
	for {
		if k == nil { // the rows themselves
			return "", steps, true
		}
		c, made := k.(Constructed)
		if !made {
			return k.String(), steps, true
		}
		of, by, can := c.Construction()
		if !can {
			return "", nil, false
		}
		k, steps = of, append([]Construction{by}, steps...)
	}
}
