package randomfeatures

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Operator is ZZᵀ of n points: 8nD bytes, which are refused with a [*compute.TooLarge] error
// beyond o.MaxMemory.
func (k *Kernel[T]) Operator(ctx context.Context, xs data.Set[T], o compute.Options) (*gram.FeatureOperator, error) {
	return gram.FeatureOperatorOf(ctx, xs.Len(), k.Dim(), func(ctx context.Context, dst *mat.Dense, from int) error {
		return k.mapRows(ctx, tile(dst), xs, from, o.WorkerCount())
	}, o)
}

// tile presents a matrix as a tile.
func tile(m *mat.Dense) kernel.Tile {
	raw := m.RawMatrix()
	return kernel.Tile{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data}
}

// Bind joins the kernel to its points, whose features are computed when they are first needed
// and then kept.
func (k *Kernel[T]) Bind(rows, cols data.Set[T]) kernel.Pairs {
	return gram.BindFeatures(k, k.Dim(), rows, cols)
}

// Collapse turns an expansion that was found with a [Kernel], Σ αᵢ⟨z(x), z(xᵢ)⟩, into the same
// function as weights of the features, w = Zᵀα. Other functions are returned as they are.
func Collapse[T any](ctx context.Context, f model.Predictor[T]) (model.Predictor[T], error) {
	e, ok := f.(*model.Expansion[T])
	if !ok {
		return f, nil
	}
	k, ok := e.Kernel.(*Kernel[T])
	if !ok {
		return f, nil
	}
	return e.Weigh(ctx, k, k.like, k.o.Workers)
}
