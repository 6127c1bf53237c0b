package gradients

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// Slope knows the gradient of a kernel in its first point, for many pairs at once.
type Slope interface {
	// Of prepares the gradients of an expansion f over points zⱼ at rows x:
	// ∇f_c(x) = Σⱼ βⱼ꜀ ∇ₓk(x, zⱼ).
	Of(f *model.Expansion[[]float64], rows data.Set[[]float64]) Gradient
	// Weighted prepares Σ_b M_ab ∇ₓk(xₐ, x_b) for the points of a set, one output.
	Weighted(k kernel.Kernel[[]float64], xs data.Set[[]float64], m kernel.Tile) Gradient
}

// Gradient stores the gradients at as many rows as dst has from a first one on. A row of dst holds
// the d coordinates of output after output. It is safe for concurrent use.
type Gradient func(dst *mat.Dense, first int)

// Pairwise makes a Slope of a function that adds c·∇ₓk(x, y) to dst: the slow obvious one.
func Pairwise(of func(dst []float64, c float64, x, y []float64)) Slope { return pairwise(of) }

type pairwise func(dst []float64, c float64, x, y []float64)

func (of pairwise) Of(f *model.Expansion[[]float64], rows data.Set[[]float64]) Gradient {
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

func (of pairwise) Weighted(_ kernel.Kernel[[]float64], xs data.Set[[]float64], m kernel.Tile) Gradient {
	return func(dst *mat.Dense, first int) {
		count, _ := dst.Dims()
		for r := range count {
			out := dst.RawRowView(r)
			clear(out)
			for i, w := range m.Row(first + r) {
				if w != 0 {
					of(out, w, xs.At(first+r), xs.At(i))
				}
			}
		}
	}
}

// Radial is a kernel of q = Σⱼ ((xⱼ−zⱼ)/σⱼ)² with
//
//	∇ₓk = w·(xⱼ−zⱼ)/σⱼ²,
//
// and 0 where q is. As a [Slope] it makes products of matrices of the sums.
type Radial struct {
	// Weights replaces values of the kernel by w, given their q.
	Weights func(values, q []float64)
	// Squared computes the q of pairs.
	Squared func(xs, zs data.Set[[]float64]) kernel.Pairs
	// Sigmas are the widths, one for all coordinates or one for each.
	Sigmas []float64
}
