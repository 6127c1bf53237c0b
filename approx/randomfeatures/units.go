package randomfeatures

import (
	"math"
	"math/rand/v2"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// units are the features of E f(⟨g, φ(x)⟩)f(⟨g, φ(y)⟩): m^−½ f(⟨gᵢ, φ(x)⟩) for m normal gᵢ (A.
// Rahimi and B. Recht, Weighted sums of random kitchen sinks, NIPS 2008). Where φ are drawn, as
// many are as there are units.
type units[T any] struct {
	of         block[T]
	activation func(float64) float64
	projection
}

// standard is the law of a normal vector.
var standard = construction.Law{Scale: []float64{1}, Radial: func(*rand.Rand) float64 { return 1 }}

func newUnits[T any](r construction.Units[T], m int, d *draws) *units[T] {
	least, most := bounds(r.Of)
	dim := max(least, m)
	if most < math.MaxInt {
		dim = most
	}
	b := &units[T]{of: build(r.Of, dim, d), activation: r.Activation}
	own := *d
	if most == math.MaxInt {
		own.frequencies = Independent // orthogonal directions of many coordinates take m³
	}
	b.projection = newProjection(own.frequenciesOf(standard, b.of.dim(), m), b.of.dim())
	d.streams = own.streams
	return b
}

func (b *units[T]) dim() int { return b.count }

func (b *units[T]) rows(dst kernel.Tile, xs data.Set[T], from int) {
	features := kernel.NewTile(dst.Rows, b.width)
	b.of.rows(features, xs, from)
	lanes, products := make([]float64, b.width*simd.PanelWidth), make([]float64, b.stride()*min(simd.PanelWidth, dst.Rows))
	root := 1 / math.Sqrt(float64(b.count))
	for first := 0; first < dst.Rows; first += simd.PanelWidth {
		rows := min(simd.PanelWidth, dst.Rows-first)
		for i := range rows {
			for j, v := range features.Row(first + i) {
				lanes[j*simd.PanelWidth+i] = v
			}
		}
		b.inner(products, lanes, rows)
		for i := range rows {
			row := dst.Row(first + i)
			for j := range row {
				row[j] = root * b.activation(products[i*b.stride()+j])
			}
		}
	}
}

// variance is that of the mean over the units.
func (b *units[T]) variance(_, _ T, zx, zy []float64) float64 {
	return varianceOfMean(b.count, func(i int) float64 { return zx[i] * zy[i] })
}
