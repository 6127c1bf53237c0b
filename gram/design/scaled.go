package design

import (
	"context"
	"encoding/gob"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() { gob.Register(scale{}) }

// Scaled returns cΦ, the features of c²K.
func (d Matrix) Scaled(c float64) Matrix {
	out := Matrix{Rows: d.Rows, Dim: d.Dim, Fill: func(ctx context.Context, dst *mat.Dense, from int) error {
		err := d.Fill(ctx, dst, from)
		dst.Scale(c, dst)
		return err
	}}
	if d.Elsewhere != nil {
		out.Elsewhere = d.Elsewhere.Under(func(k kernel.Kernel[[]float64]) kernel.Kernel[[]float64] { return scaled{k, c} })
	}
	return out
}

// scaled stands for c times the features of a kernel, in a pass.
type scaled struct {
	kernel.Kernel[[]float64]
	by float64
}

var (
	_ kernel.RowMapped[[]float64] = scaled{}
	_ pass.Constructed            = scaled{}
)

// Features are as many as those of the kernel.
func (s scaled) Features(x []float64) (dim int, ok bool) {
	m, ok := s.Kernel.(kernel.Mapped[[]float64])
	if !ok {
		return 0, false
	}
	return m.Features(x)
}

// Map stores cφ(x).
func (s scaled) Map(phi, x []float64) {
	s.MapRows(kernel.Tile{Rows: 1, Cols: len(phi), Stride: len(phi), Data: phi}, data.Slice[[]float64]{x}, 0)
}

// MapRows stores cφ(xs[from+i]) in row i of dst.
func (s scaled) MapRows(dst kernel.Tile, xs data.Set[[]float64], from int) {
	kernel.MapRows(s.Kernel.(kernel.Mapped[[]float64]), dst, xs, from)
	for i := range dst.Rows {
		floats.Scale(s.by, dst.Row(i))
	}
}

// Construction returns the kernel and c.
func (s scaled) Construction() (of kernel.Kernel[[]float64], by pass.Construction, ok bool) {
	return s.Kernel, scale{s.by}, true
}

// scale makes features c times as large.
type scale struct{ By float64 }

// Make returns what stands for them.
func (s scale) Make(_ context.Context, of kernel.Kernel[[]float64], _ compute.Options) (kernel.Kernel[[]float64], error) {
	return scaled{of, s.By}, nil
}
