package randomfeatures

import (
	"math"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// waves are the features of E cos⟨ω, x − y⟩ for m frequencies,
//
//	z(x) = m^−½ (cos⟨ω₁, x⟩ … cos⟨ω_m, x⟩, sin⟨ω₁, x⟩ … sin⟨ω_m, x⟩),
//
// of which ⟨z(x), z(x)⟩ = 1, and the variance for independent frequencies is
//
//	(1 + k(2Δ) − 2k(Δ)²)/2m,  Δ = x − y,
//
// never more than that of 2m cosines with a random phase where k(Δ) is large (D. J. Sutherland
// and J. Schneider, On the error of random Fourier features, UAI 2015).
type waves[T any] struct {
	phases     construction.Stationary[T]
	omega      [][]float64 // m frequencies of all phases side by side
	projection             // of the coordinates of all phases
}

func newWaves[T any](r construction.Stationary[T], m int, d *draws) *waves[T] {
	b, width := &waves[T]{phases: r, omega: make([][]float64, m)}, 0
	for _, p := range r {
		width += p.Dim
		for i, omega := range d.frequenciesOf(p.Law, p.Dim, m) {
			b.omega[i] = append(b.omega[i], omega...)
		}
	}
	b.projection = newProjection(b.omega, width)
	return b
}

func (b *waves[T]) dim() int { return 2 * len(b.omega) }

func (b *waves[T]) rows(dst kernel.Tile, xs data.Set[T], from int) {
	m := len(b.omega)
	stride := b.stride()
	lanes, phases := make([]float64, b.width*simd.PanelWidth), make([]float64, stride*min(simd.PanelWidth, dst.Rows))
	root := 1 / math.Sqrt(float64(m))
	for first := 0; first < dst.Rows; first += simd.PanelWidth {
		rows := min(simd.PanelWidth, dst.Rows-first)
		for i := range rows {
			b.lane(lanes[i:], xs.At(from+first+i))
		}
		b.inner(phases, lanes, rows)
		for i := range rows {
			row := dst.Row(first + i)
			simd.Sincos(row[m:2*m], row[:m], phases[i*stride:i*stride+m], root)
		}
	}
}

// lane stores the coordinates of a point with a distance of a panel between them.
func (b *waves[T]) lane(dst []float64, x T) {
	at := 0
	for _, p := range b.phases {
		for _, v := range p.Point(x) {
			dst[at] = v
			at += simd.PanelWidth
		}
	}
}

// variance is that of the formula above, with k(Δ) and k(2Δ) from the same frequencies: the
// sample variance of their cosines, less a half of a degree of freedom.
func (b *waves[T]) variance(_, _ T, zx, zy []float64) float64 {
	m := len(b.omega)
	return varianceOfMean(m, func(i int) float64 { return zx[i]*zy[i] + zx[m+i]*zy[m+i] })
}

// varianceOfMean is that of the sum of m independent terms, each the m-th part of what its mean
// is: the sample variance of their multiples.
func varianceOfMean(m int, term func(i int) float64) float64 {
	var sum, square float64
	for i := range m {
		c := float64(m) * term(i)
		sum += c
		square += c * c
	}
	mean := sum / float64(m)
	return max(0, square/float64(m)-mean*mean) / float64(max(1, m-1))
}
