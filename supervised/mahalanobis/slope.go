package mahalanobis

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/linalg/level3"
)

// Slope stores Σⱼ coefⱼ꜀ ∇ₓk(x, zⱼ), the gradient at x of every output c of an expansion, in
// dst[c]. The values are k(x, zⱼ), as tiles have them.
type Slope func(dst [][]float64, x, values []float64, points data.Set[[]float64], coef *mat.Dense)

// Pairwise makes a Slope of a function that adds c·∇ₓk(x, y) to dst.
func Pairwise(of func(dst []float64, c float64, x, y []float64)) Slope {
	return func(dst [][]float64, x, _ []float64, points data.Set[[]float64], coef *mat.Dense) {
		clearAll(dst)
		g := make([]float64, len(x))
		for i := range points.Len() {
			clear(g)
			of(g, 1, x, points.At(i))
			for c, beta := range coef.RawRowView(i) {
				floats.AddScaled(dst[c], beta, g)
			}
		}
	}
}

// Radial makes a Slope of a kernel of q = Σⱼ ((xⱼ−zⱼ)/σⱼ)² with
//
//	∇ₓk = w(k, q)·(xⱼ−zⱼ)/σⱼ²,
//
// and 0 where q is. The widths are one for all coordinates, or one for each. Several outputs are
// one product of matrices,
//
//	Σᵢ βᵢ꜀wᵢ(x − zᵢ) = (Σᵢ βᵢ꜀wᵢ)·x − Σᵢ βᵢ꜀wᵢzᵢ,
//
// but for points that are so near that the difference would lose digits.
func Radial(weight func(value, q float64) float64, sigmas []float64) Slope {
	products := sync.Pool{New: func() any { return new([]float64) }}
	return func(dst [][]float64, x, values []float64, points data.Set[[]float64], coef *mat.Dense) {
		clearAll(dst)
		by, scaled := make([]float64, len(x)), make([]float64, len(x))
		for j := range by {
			by[j] = 1 / sigmas[min(j, len(sigmas)-1)]
		}
		zs, multiply := points.(data.Vectors)
		multiply = multiply && len(dst) >= severalOutputs
		var weights blas64.General
		if multiply {
			memory := products.Get().(*[]float64)
			defer products.Put(memory)
			*memory = slices.Grow((*memory)[:0], len(dst)*len(values))[:len(dst)*len(values)]
			weights = blas64.General{Rows: len(dst), Cols: len(values), Stride: len(values), Data: *memory}
			clear(weights.Data)
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
				if multiply && q > near {
					weights.Data[c*weights.Stride+i] = beta * slope
					continue
				}
				addScaled(dst[c], beta*slope, scaled)
			}
		}
		for _, g := range dst {
			floats.Mul(g, by)
		}
		if multiply {
			addProducts(dst, x, by, weights, zs)
		}
	}
}

// Outputs are so many before a product of matrices pays, and points whose squared distance is less
// than near, in widths, are subtracted from x one by one.
const (
	severalOutputs = 4
	near           = 1e-6
)

// addProducts adds ((Σᵢ w꜀ᵢ)·x − Σᵢ w꜀ᵢzᵢ)/σ² to dst[c].
func addProducts(dst [][]float64, x, by []float64, weights blas64.General, zs data.Vectors) {
	d := len(x)
	sums := blas64.General{Rows: len(dst), Cols: d, Stride: d, Data: make([]float64, len(dst)*d)}
	all := blas64.General{Rows: zs.Len(), Cols: d, Stride: d, Data: zs.Raw()}
	level3.Implementation{Workers: 1}.Gemm(blas.NoTrans, blas.NoTrans, 1, weights, all, 0, sums)
	for c, g := range dst {
		total := floats.Sum(weights.Data[c*weights.Stride : (c+1)*weights.Stride])
		for j, v := range sums.Data[c*d : (c+1)*d] {
			g[j] += (total*x[j] - v) * by[j] * by[j]
		}
	}
}

// addScaled is that of floats, which takes longer to call than few coordinates take.
func addScaled(dst []float64, c float64, v []float64) {
	dst = dst[:len(v)]
	for j, x := range v {
		dst[j] += c * x
	}
}

func clearAll(dst [][]float64) {
	for _, g := range dst {
		clear(g)
	}
}
