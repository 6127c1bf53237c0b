package tune

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
)

// Features are explicit features Φ of points, its rows, of which splits take some.
type Features interface {
	// Rows returns those of the points at the given indices, which ascend; nil are all.
	Rows(index []int) (design.Matrix, error)
	// All returns those of all points in memory.
	All(ctx context.Context) (*mat.Dense, error)
}

// Held are features in memory.
type Held struct{ Phi *mat.Dense }

// All returns the matrix itself.
func (h Held) All(context.Context) (*mat.Dense, error) { return h.Phi, nil }

// Rows copies rows of the matrix when they are read.
func (h Held) Rows(index []int) (design.Matrix, error) {
	n, dim := h.Phi.Dims()
	if index != nil {
		n = len(index)
	}
	return design.Matrix{Rows: n, Dim: dim, Fill: func(_ context.Context, dst *mat.Dense, from int) error {
		count, _ := dst.Dims()
		for i := range count {
			row := from + i
			if index != nil {
				row = index[row]
			}
			copy(dst.RawRowView(i), h.Phi.RawRowView(row))
		}
		return nil
	}}, nil
}

// Made are features that are made each time that they are read, of points that stay where they are.
// A driver of the points makes the passes over them, if they have one.
type Made[T any] struct {
	Kernel kernel.Mapped[T]
	Points data.Set[T]
}

// All makes the features of all points.
func (m Made[T]) All(ctx context.Context) (*mat.Dense, error) {
	phi, err := m.Rows(nil)
	if err != nil {
		return nil, err
	}
	return phi.Blocks().All(ctx)
}

// Rows returns the features of a part of the points.
func (m Made[T]) Rows(index []int) (design.Matrix, error) {
	xs := m.Points
	if index != nil {
		xs = data.Part(xs, index)
	}
	phi, ok := design.Of[T](m.Kernel, xs)
	if !ok {
		return phi, fmt.Errorf("tune: the kernel %s has no features of %d points", m.Kernel, xs.Len())
	}
	return phi, nil
}
