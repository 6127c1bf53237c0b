package pass

import (
	"context"
	"encoding/gob"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Map returns rows of dim numbers that are made of points, such as their images in a space of
// explicit features, each time that they are read: image stores in dst the rows of a block of
// the points. It is called for whole blocks alone, from several goroutines, so that a row has
// the same bits however it is read.
func Map[T any](points data.Set[T], dim int, image func(dst data.Vectors, of data.Set[T])) data.Rows {
	return &mapped[T]{points: points, dim: dim, image: image, at: -1}
}

// Features returns the rows φ(xᵢ) of a kernel's features of points, made each time that they are
// read. A driver of the points makes the passes over them, if they have one.
func Features[T any](k kernel.Mapped[T], xs data.Set[T]) data.Rows {
	dim := 0
	if xs.Len() > 0 {
		dim, _ = k.Features(xs.At(0))
	}
	return &mapped[T]{points: xs, dim: dim, at: -1, sender: SenderOf(k, xs), image: func(dst data.Vectors, of data.Set[T]) {
		kernel.MapRows(k, kernel.Tile{Rows: dst.Len(), Cols: dim, Stride: dim, Data: dst.Raw()}, of, 0)
	}}
}

// Image makes rows of others, each of one. It can be sent: its fields are exported, and its type is
// known to encoding/gob.
type Image interface {
	Dim() int
	// Of stores the images of some rows.
	Of(dst data.Vectors, rows data.Set[[]float64])
}

// Through returns the images of rows, made each time that they are read. A driver of the rows makes
// the passes over them, if they have one.
func Through(xs data.Rows, by Image) data.Rows {
	m := &mapped[[]float64]{points: xs, dim: by.Dim(), image: by.Of, at: -1}
	if s := Elsewhere(xs); s != nil {
		m.sender = &Sender{s.driver, imaged{s.kernel, by}}
	}
	return m
}

// imaged stands for the images of a kernel's features, in a pass.
type imaged struct {
	kernel.Kernel[[]float64]
	by Image
}

// Construction returns the kernel.
func (m imaged) Construction() (of kernel.Kernel[[]float64], by Construction, ok bool) {
	return m.Kernel, imageOf{m.by}, true
}

// imageOf takes images of features.
type imageOf struct{ By Image }

// Make returns what stands for them.
func (m imageOf) Make(_ context.Context, of kernel.Kernel[[]float64], _ compute.Options) (kernel.Kernel[[]float64], error) {
	return imaged{of, m.By}, nil
}

func init() { gob.Register(imageOf{}) }

// featuresOf returns the features that a pass reads: those of a kernel, or the rows themselves.
func featuresOf(k kernel.Kernel[[]float64], rows data.Rows) (data.Rows, error) {
	switch k := k.(type) {
	case nil:
		return rows, nil
	case imaged:
		of, err := featuresOf(k.Kernel, rows)
		if err != nil {
			return nil, err
		}
		return Through(of, k.by), nil
	case kernel.Mapped[[]float64]:
		return Features(k, rows), nil
	}
	return nil, fmt.Errorf("pass: the kernel %s has no features", k)
}

// mapped are rows that are made of points.
type mapped[T any] struct {
	points data.Set[T]
	dim    int
	image  func(dst data.Vectors, of data.Set[T])
	sender *Sender // has passes made elsewhere; nil: here

	mu   sync.Mutex
	last data.Vectors // the block of the last row
	at   int          // which that is
}

// elsewhere returns what has passes made elsewhere; nil: they are made here.
func (m *mapped[T]) elsewhere() *Sender { return m.sender }

func (m *mapped[T]) Len() int { return m.points.Len() }
func (m *mapped[T]) Dim() int { return m.dim }

// At makes the block of row i, unless it is that of the last one.
func (m *mapped[T]) At(i int) []float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b := i / BlockRows; b != m.at {
		m.last, m.at = m.block(b), b
	}
	return m.last.At(i - m.at*BlockRows)
}

// Run makes the rows from ≤ i < to.
func (m *mapped[T]) Run(from, to int) data.Set[[]float64] {
	if first, end := BlockRange(m.Len(), from/BlockRows); from == first && to == end {
		return m.block(from / BlockRows)
	}
	out := data.MakeVectors(to-from, m.dim)
	for i := from; i < to; {
		first, end := BlockRange(m.Len(), i/BlockRows)
		end = min(end, to)
		copy(out.Raw()[(i-from)*m.dim:], m.block(i / BlockRows).Raw()[(i-first)*m.dim:(end-first)*m.dim])
		i = end
	}
	return out
}

func (m *mapped[T]) block(b int) data.Vectors {
	from, to := BlockRange(m.Len(), b)
	out := data.MakeVectors(to-from, m.dim)
	m.image(out, data.Run(m.points, from, to))
	return out
}

// Read returns all rows in memory, with the bits that they have in passes.
func Read(ctx context.Context, xs data.Rows, workers int) (data.Vectors, error) {
	if v, ok := xs.(data.Vectors); ok {
		return v, ctx.Err()
	}
	all := data.MakeVectors(xs.Len(), xs.Dim())
	_, err := Reduce(ctx, xs, Sums{Work: identity{}, Out: func(made *mat.Dense, from int) { copy(all.Raw()[from*xs.Dim():], made.RawMatrix().Data) }}, compute.Options{Workers: workers})
	return all, err
}
