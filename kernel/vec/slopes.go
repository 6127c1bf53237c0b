package vec

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
)

// Slopes stores Σⱼ coefⱼ꜀ ∇ₓk(x, zⱼ), the gradient at x of every output c of an expansion, in dst[c]. The
// values are k(x, zⱼ), as tiles have them. What dst has is lost.
type Slopes func(dst [][]float64, x, values []float64, points data.Set[[]float64], coef *mat.Dense)

// SlopesOf returns sums of the gradient of [SlopeOf]. Those of rbf and laplace follow from the values,
//
//	∇ₓk = −k·(x − z)/σ²   and   ∇ₓk = −k·(x − z)/(σ‖x − z‖),
//
// without another exponential, which is most of the work of few columns. Errors are those of SlopeOf.
func SlopesOf(k Kernel) (Slopes, error) {
	if r, ok := k.(interface {
		radial
		weight(value, q float64) float64
	}); ok {
		return radialSlopes(r.widths(), r.weight), nil
	}
	slope, err := SlopeOf(k)
	if err != nil {
		return nil, err
	}
	return func(dst [][]float64, x, _ []float64, points data.Set[[]float64], coef *mat.Dense) {
		zero(dst)
		of := make([]float64, len(x))
		for j := range points.Len() {
			clear(of)
			slope(of, 1, x, points.At(j))
			for c, beta := range coef.RawRowView(j) {
				addScaled(dst[c], beta, of)
			}
		}
	}, nil
}

// weight is 2κ′(q) where κ(q) is known.
func (RBF) weight(value, _ float64) float64     { return -value }
func (Laplace) weight(value, q float64) float64 { return -value / math.Sqrt(q) }

// zero clears all gradients.
func zero(dst [][]float64) {
	for _, g := range dst {
		clear(g)
	}
}

// radialSlopes sums w(q)·(xⱼ−zⱼ)/σⱼ².
func radialSlopes(w widths, weight func(value, q float64) float64) Slopes {
	return func(dst [][]float64, x, values []float64, points data.Set[[]float64], coef *mat.Dense) {
		zero(dst)
		by, scaled := make([]float64, len(x)), make([]float64, len(x))
		for j := range by {
			by[j] = 1 / w.at(j)
		}
		for i, value := range values {
			if value == 0 {
				continue
			}
			z, q := points.At(i)[:len(x)], 0.0
			for j, v := range x {
				u := (v - z[j]) * by[j]
				scaled[j] = u
				q += u * u
			}
			if q == 0 {
				continue
			}
			slope := weight(value, q)
			for c, beta := range coef.RawRowView(i) {
				addScaled(dst[c], beta*slope, scaled)
			}
		}
		for _, g := range dst {
			for j := range g {
				g[j] *= by[j]
			}
		}
	}
}
