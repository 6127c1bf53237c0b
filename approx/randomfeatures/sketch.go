package randomfeatures

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// sketch is the map of a product Π kᵢ whose factors have maps φᵢ: the tensor product
// φ₁⊗…⊗φ_p, never formed, is hashed to m numbers by
//
//	h(j₁ … j_p) = h₁(j₁) + … + h_p(j_p) mod m,  with the sign  s₁(j₁)⋯s_p(j_p),
//
// which is the circular convolution of the hashed factors, by the fast Fourier transform (N.
// Pham and R. Pagh, Fast and scalable polynomial kernels via explicit feature maps, KDD
// 2013). One factor is its sketch of counts (Charikar, Chen and Farach-Colton 2002). Signs are
// independent of places, so that E⟨z(x), z(y)⟩ = Π⟨φᵢ(x), φᵢ(y)⟩, with a variance of at most
//
//	(2 + 3^p)/m·Π‖φᵢ(x)‖²‖φᵢ(y)‖²
//
// (H. Avron, H. Nguyen and D. Woodruff, Subspace embeddings for the polynomial kernel, NIPS
// 2014). Factors whose own features are drawn are drawn independently, which keeps the mean.
type sketch[T any] struct {
	m       int
	factors []block[T]
	places  [][]int     // h of the features of each factor
	signs   [][]float64 // s
	rooms   sync.Pool   // of *sketchRoom
}

func newSketch[T any](factors []construction.Features[T], m int, d *draws) *sketch[T] {
	b := &sketch[T]{m: m}
	for _, r := range factors {
		dim := m
		switch least, most := bounds(r); {
		case most < math.MaxInt:
			dim = most // all of an explicit map
		case least > m:
			dim = least
		}
		factor := build(r, dim, d)
		own := d.next()
		places, signs := make([]int, factor.dim()), make([]float64, factor.dim())
		for j := range places {
			r := own.at(j)
			places[j], signs[j] = r.IntN(m), float64(2*r.IntN(2)-1)
		}
		b.factors, b.places, b.signs = append(b.factors, factor), append(b.places, places), append(b.signs, signs)
	}
	return b
}

// sketchRoom is working memory of one goroutine.
type sketchRoom struct {
	fft      *fourier.FFT
	counts   []float64
	one, all []complex128
}

func (b *sketch[T]) room() *sketchRoom {
	if r, ok := b.rooms.Get().(*sketchRoom); ok {
		return r
	}
	return &sketchRoom{fft: fourier.NewFFT(b.m), counts: make([]float64, b.m), one: make([]complex128, b.m/2+1), all: make([]complex128, b.m/2+1)}
}

func (b *sketch[T]) dim() int { return b.m }

func (b *sketch[T]) rows(dst kernel.Tile, xs data.Set[T], from int) {
	room := b.room()
	defer b.rooms.Put(room)
	maps := make([]kernel.Tile, len(b.factors))
	for f, factor := range b.factors {
		maps[f] = kernel.NewTile(dst.Rows, factor.dim())
		factor.rows(maps[f], xs, from)
	}
	for i := range dst.Rows {
		if len(maps) == 1 {
			b.hash(dst.Row(i), 0, maps[0].Row(i))
			continue
		}
		for f := range maps {
			b.hash(room.counts, f, maps[f].Row(i))
			if f == 0 {
				room.fft.Coefficients(room.all, room.counts)
				continue
			}
			room.fft.Coefficients(room.one, room.counts)
			for c, v := range room.one {
				room.all[c] *= v
			}
		}
		row := dst.Row(i)
		room.fft.Sequence(row, room.all)
		scale(row, 1/float64(b.m))
	}
}

// hash stores the sketch of counts of the features of factor f.
func (b *sketch[T]) hash(dst []float64, f int, phi []float64) {
	clear(dst)
	for j, v := range phi {
		dst[b.places[f][j]] += b.signs[f][j] * v
	}
}

// variance is the bound above for the factors as they were drawn, beside the variance of these.
func (b *sketch[T]) variance(x, y T, _, _ []float64) float64 {
	norms, mean2, second := 1.0, 1.0, 1.0
	for _, factor := range b.factors {
		zx, zy := kernel.NewTile(1, factor.dim()), kernel.NewTile(1, factor.dim())
		factor.rows(zx, data.Slice[T]{x}, 0)
		factor.rows(zy, data.Slice[T]{y}, 0)
		k := dot(zx.Data, zy.Data)
		norms *= dot(zx.Data, zx.Data) * dot(zy.Data, zy.Data)
		mean2 *= k * k
		second *= k*k + factor.variance(x, y, zx.Data, zy.Data)
	}
	return (2+math.Pow(3, float64(len(b.factors))))/float64(b.m)*norms + second - mean2
}
