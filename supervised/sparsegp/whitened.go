package sparsegp

import (
	"context"
	"encoding/gob"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

func init() { gob.Register(whiten{}) }

// whitened is a kernel with the features φ(x) = L⁻¹k(Z, x), under which passes over Φ are made
// elsewhere: LLᵀ = K_mm + jitter.
type whitened struct {
	kernel.Kernel[[]float64] // of which the columns k(X, Z) are read
	*landmarks
	of    kernel.Kernel[[]float64] // k
	at    data.Set[[]float64]      // Z
	bound kernel.BoundColumns[[]float64]
	o     compute.Options
}

var (
	_ kernel.RowMapped[[]float64] = (*whitened)(nil)
	_ pass.Constructed            = (*whitened)(nil)
)

// sender returns what has passes over Φ made by the driver of the rows of K_nm; nil: they have
// none.
func (l *landmarks) sender(rows *gram.TallSkinny, o compute.Options) *pass.Sender {
	s := rows.Elsewhere()
	if s == nil {
		return nil
	}
	return s.Under(func(columns kernel.Kernel[[]float64]) kernel.Kernel[[]float64] {
		of, at, _ := gram.ColumnsIn(columns)
		return newWhitened(columns, of, at, l, o)
	})
}

func newWhitened(columns, of kernel.Kernel[[]float64], at data.Set[[]float64], l *landmarks, o compute.Options) *whitened {
	return &whitened{columns, l, of, at, kernel.BindColumns(of, at), compute.Options{Workers: o.Workers}}
}

// Features returns m.
func (w *whitened) Features([]float64) (dim int, ok bool) { return w.at.Len(), true }

// Map stores φ(x).
func (w *whitened) Map(phi, x []float64) {
	w.MapRows(kernel.Tile{Rows: 1, Cols: len(phi), Stride: len(phi), Data: phi}, data.Slice[[]float64]{x}, 0)
}

// MapRows stores φ(xs[from+i]) in row i of dst.
func (w *whitened) MapRows(dst kernel.Tile, xs data.Set[[]float64], from int) {
	phi, ctx := gram.AsMatrix(dst), context.Background()
	// The errors are those of a context, of which there is none, and of sizes, which fit.
	_ = gram.Columns(w.of, w.at, w.bound, data.Run(xs, from, from+dst.Rows), w.o).Block(ctx, phi, 0)
	_ = w.l.Whiten(ctx, phi)
}

// Construction returns the kernel with its points, and the jitter.
func (w *whitened) Construction() (of kernel.Kernel[[]float64], by pass.Construction, ok bool) {
	return w.Kernel, whiten{w.jitter}, true
}

// whiten factors K_mm.
type whiten struct{ Jitter float64 }

// Make factors it: m³/3 multiplications.
func (j whiten) Make(ctx context.Context, columns kernel.Kernel[[]float64], o compute.Options) (kernel.Kernel[[]float64], error) {
	of, at, ok := gram.ColumnsIn(columns)
	if !ok {
		return nil, fmt.Errorf("sparsegp: the kernel %s has no points", columns)
	}
	l, err := newLandmarks(ctx, kernel.Bind(of, at, at), j.Jitter, o)
	if err != nil {
		return nil, err
	}
	return newWhitened(columns, of, at, l, o), nil
}
