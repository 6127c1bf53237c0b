package mahalanobis

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Slope prepares the gradients of an expansion f over points zⱼ at rows x.
type Slope func(f *model.Expansion[[]float64], rows data.Set[[]float64]) Gradient

// Gradient stores ∇f_c(x) = Σⱼ βⱼ꜀ ∇ₓk(x, zⱼ) in dst, of as many rows x as it has from a first one
// on. A row of dst holds the d coordinates of output after output. It is safe for concurrent use.
type Gradient func(dst *mat.Dense, first int)

// Pairwise makes a Slope of a function that adds c·∇ₓk(x, y) to dst.
func Pairwise(of func(dst []float64, c float64, x, y []float64)) Slope {
	return func(f *model.Expansion[[]float64], rows data.Set[[]float64]) Gradient {
		return func(dst *mat.Dense, first int) {
			count, _ := dst.Dims()
			for r := range count {
				x, out := rows.At(first+r), dst.RawRowView(r)
				clear(out)
				g := make([]float64, len(x))
				for i := range f.Points.Len() {
					clear(g)
					of(g, 1, x, f.Points.At(i))
					for c, beta := range f.Coef.RawRowView(i) {
						floats.AddScaled(out[c*len(x):(c+1)*len(x)], beta, g)
					}
				}
			}
		}
	}
}

// Radial is a kernel of q = Σⱼ ((xⱼ−zⱼ)/σⱼ)² with
//
//	∇ₓk = w·(xⱼ−zⱼ)/σⱼ²,
//
// and 0 where q is.
type Radial struct {
	// Weights replaces values of the kernel by w, given their q.
	Weights func(values, q []float64)
	// Squared computes the q of pairs.
	Squared func(xs, zs data.Set[[]float64]) kernel.Pairs
	// Sigmas are the widths, one for all coordinates or one for each.
	Sigmas []float64
}
