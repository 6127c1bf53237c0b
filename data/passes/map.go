package passes

import (
	"context"
	"sync"

	"example.org/mercer/data"
)

// Map returns rows of dim numbers that are made of points, such as their images in a space of
// explicit features, each time that they are read: image stores in dst the rows of a block of
// the points. It is called for whole blocks alone, from several goroutines, so that a row has
// the same bits however it is read.
func Map[T any](points data.Set[T], dim int, image func(dst data.Vectors, of data.Set[T])) data.Rows {
	return &mapped[T]{points: points, dim: dim, image: image, at: -1}
}

// mapped are rows that are made of points.
type mapped[T any] struct {
	points data.Set[T]
	dim    int
	image  func(dst data.Vectors, of data.Set[T])

	mu   sync.Mutex
	last data.Vectors // the block of the last row
	at   int          // which that is
}

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
	n, d := xs.Len(), xs.Dim()
	out := data.MakeVectors(n, d)
	err := Each(ctx, xs, Blocks(n), workers, func(_, _, b int, rows data.Vectors) {
		from, _ := BlockRange(n, b)
		copy(out.Raw()[from*d:], rows.Raw())
	})
	return out, err
}
