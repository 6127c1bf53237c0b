package bag

import (
	"mercer/data"
	"mercer/kernel"
)

// mostFeatures is the longest explicit feature map by which a bag is represented.
const mostFeatures = 1024

// embedded are bags as the sums, or the means, of the explicit features of their points:
// k(X, Y) = ⟨μ_X, μ_Y⟩ takes as many products as there are features, however many points.
type embedded struct {
	rows, cols []float64
	n, m, dims int
}

// embed returns the column bags by their features, and nil where the base kernel has no short
// map of them.
func embed[T any](of kernel.Kernel[T], cols data.Set[[]T], mean bool) kernel.Anchored[[]T] {
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
	p := &embedded{rows: f.cols, cols: f.cols, n: rows.Len(), m: f.set.Len(), dims: f.dims}
	if !data.SameSlices(rows, f.set) {
		p.rows = embeddings(f.of, rows, f.dims, f.mean)
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

// Dims returns the numbers of bags.
func (p *embedded) Dims() (rows, cols int) { return p.n, p.m }

// Tile stores inner products.
func (p *embedded) Tile(dst kernel.Tile, row, col int) {
	d := p.dims
	for i := range dst.Rows {
		x, out := p.rows[(row+i)*d:(row+i+1)*d], dst.Row(i)
		for j := range out {
			y := p.cols[(col+j)*d : (col+j+1)*d]
			sum := 0.0
			for f, v := range x {
				sum += v * y[f]
			}
			out[j] = sum
		}
	}
}
