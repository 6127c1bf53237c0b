package randomfeatures

import (
	"context"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// words is the map of Σ_{u, v} exp((⟨u, v⟩/K − 1)/σ²) over the words of two points. Words over √K
// have length 1, so that a term is exp(−‖u − v‖²/(2Kσ²)) and has the frequencies of a Gaussian:
//
//	z(x) = m^−½ Σ_{u in x} (cos⟨ω₁, u⟩ … cos⟨ω_m, u⟩, sin⟨ω₁, u⟩ … sin⟨ω_m, u⟩),
//	ω ~ N(0, 1/(Kσ²)).
//
// The entries of a word are 0 and 1, so that ⟨ω, u⟩ is a sum of K entries of ω.
type words[T any] struct {
	construction.Words[T]
	m     int
	omega []float64 // m numbers for each symbol in each place
}

func newWords[T any](r construction.Words[T], m int, d *draws) *words[T] {
	width := 1 / (math.Sqrt(float64(r.K)) * r.Sigma)
	law := construction.Law{Scale: []float64{width}, Radial: standard.Radial}
	b := &words[T]{Words: r, m: m, omega: make([]float64, r.Dim()*m)}
	for i, omega := range d.frequenciesOf(law, r.Dim(), m) {
		for j, v := range omega {
			b.omega[j*m+i] = v
		}
	}
	return b
}

func (b *words[T]) dim() int { return 2 * b.m }

func (b *words[T]) rows(dst kernel.Tile, xs data.Set[T], from int) {
	phase, sines, cosines := make([]float64, b.m), make([]float64, b.m), make([]float64, b.m)
	root := 1 / math.Sqrt(float64(b.m))
	for i := range dst.Rows {
		row := dst.Row(i)
		clear(row)
		// The only error is that of a context, of which there is none.
		_ = b.List(context.Background(), xs.At(from+i), func(w construction.Word) {
			clear(phase)
			for place, symbol := range w.Symbols {
				at := (place*len(b.Symbols) + int(symbol)) * b.m
				simd.Add(phase, phase, b.omega[at:at+b.m])
			}
			simd.Sincos(sines, cosines, phase, root)
			simd.Add(row[:b.m], row[:b.m], cosines)
			simd.Add(row[b.m:], row[b.m:], sines)
		})
	}
}

// variance is that of the mean over the frequencies.
func (b *words[T]) variance(_, _ T, zx, zy []float64) float64 {
	return varianceOfMean(b.m, func(i int) float64 { return zx[i]*zy[i] + zx[b.m+i]*zy[b.m+i] })
}
