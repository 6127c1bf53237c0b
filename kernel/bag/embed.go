package bag

import (
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// mostFeatures is the longest explicit feature map by which a bag is represented.
const mostFeatures = 1024

// embed returns the column bags by the sums, or the means, of the features of their points, and nil
// where the base kernel has no short map of them: k(X, Y) = ⟨μ_X, μ_Y⟩ takes as many products as
// there are features, however many points.
func embed[T any](of kernel.Kernel[T], cols data.Set[[]T], mean bool) kernel.BoundColumns[[]T] {
	k, ok := of.(kernel.Mapped[T])
	if !ok {
		return nil
	}
	dims := 0
	for i := range cols.Len() {
		for _, x := range cols.At(i) {
			if dims, ok = k.Features(x); !ok || dims > mostFeatures {
				return nil
			}
		}
	}
	return features[T]{k, cols, embeddings(k, cols, dims, mean), dims, mean}
}

// features are the features of the column bags.
type features[T any] struct {
	of   kernel.Mapped[T]
	set  data.Set[[]T]
	cols []float64
	dims int
	mean bool
}

// Bind finds the features of the rows.
func (f features[T]) Bind(rows data.Set[[]T], _ kernel.Pairs) kernel.Pairs {
	p := &count.Vectors{Rows: f.cols, Cols: f.cols, N: rows.Len(), M: f.set.Len(), Dim: f.dims}
	if !data.SameSlices(rows, f.set) {
		p.Rows = embeddings(f.of, rows, f.dims, f.mean)
	}
	return p
}

// embeddings returns the sum of the features of each bag, or their mean. Without any dimension,
// where no column has a point, all values are 0.
func embeddings[T any](k kernel.Mapped[T], bags data.Set[[]T], dims int, mean bool) []float64 {
	all, phi := make([]float64, bags.Len()*dims), make([]float64, dims)
	for i := 0; dims > 0 && i < bags.Len(); i++ {
		sum, points := all[i*dims:(i+1)*dims], bags.At(i)
		for _, x := range points {
			clear(phi)
			k.Map(phi, x)
			for f, v := range phi {
				sum[f] += v
			}
		}
		if mean && len(points) > 0 {
			for f := range sum {
				sum[f] /= float64(len(points))
			}
		}
	}
	return all
}
