package mahalanobis

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
	"example.org/mercer/rkhs/gradients"
)

// Outer returns the average gradient outer product
//
//	(1/N) Σᵢ wᵢ Σ_c ∇f_c(xᵢ) ∇f_c(xᵢ)ᵀ,   ∇f_c(x) = Σⱼ βⱼ꜀ ∇ₓk(x, zⱼ)
//
// of a function over some points zⱼ at rows xᵢ, whose weights are wᵢ ≥ 0 (nil: all 1). For d
// coordinates, m points and p outputs it takes n·m gradients of the kernel, 2nmdp + npd²
// flops, and memory for 32 matrices of d×d. The bits do not depend on the number of workers.
// Errors are those of ctx, and of weights that are all 0.
func Outer(ctx context.Context, f *model.Expansion[[]float64], slope gradients.Slope, xs data.Set[[]float64], weights []float64, workers int) (*mat.SymDense, error) {
	s, err := sumGradients(ctx, f, slope, xs, weights, workers)
	if err != nil {
		return nil, err
	}
	return s.outer, nil
}

// CentredOuter is [Outer] of the gradients less their mean ḡ_c = (1/N) Σᵢ wᵢ ∇f_c(xᵢ),
//
//	(1/N) Σᵢ wᵢ Σ_c (∇f_c(xᵢ) − ḡ_c)(∇f_c(xᵢ) − ḡ_c)ᵀ,
//
// as the difference of two sums, which are right to rounding of the larger one.
func CentredOuter(ctx context.Context, f *model.Expansion[[]float64], slope gradients.Slope, xs data.Set[[]float64], weights []float64, workers int) (*mat.SymDense, error) {
	s, err := sumGradients(ctx, f, slope, xs, weights, workers)
	if err != nil {
		return nil, err
	}
	d := s.outer.SymmetricDim()
	for c := range f.Outputs() {
		s.outer.SymRankOne(s.outer, -1, mat.NewVecDense(d, s.means[c*d:(c+1)*d]))
	}
	return s.outer, nil
}

// gradientSums are sums, and means in the end, of gradients over weighted rows.
type gradientSums struct {
	outer *mat.SymDense
	means []float64 // of each output after the other
	total float64   // Σ wᵢ
}

func newGradientSums(f *model.Expansion[[]float64]) *gradientSums {
	d := len(f.Points.At(0))
	return &gradientSums{outer: mat.NewSymDense(d, nil), means: make([]float64, d*f.Outputs())}
}

// add adds the gradients at some rows, and leaves them multiplied by the roots of the weights: the
// outer products are then one product of the matrix whose rows are the gradients.
func (s *gradientSums) add(weights []float64, gradients *mat.Dense) {
	for i, w := range weights {
		g := gradients.RawRowView(i)
		s.total += w
		floats.AddScaled(s.means, w, g)
		floats.Scale(math.Sqrt(w), g)
	}
	d, raw := s.outer.SymmetricDim(), gradients.RawMatrix()
	all := blas64.General{Rows: raw.Rows * raw.Cols / d, Cols: d, Stride: d, Data: raw.Data}
	level3.Implementation{Workers: 1}.Syrk(blas.Trans, 1, all, 1, s.outer.RawSymmetric())
}

// sumGradients adds up lanes of rows, and these in their order.
func sumGradients(ctx context.Context, f *model.Expansion[[]float64], slope gradients.Slope, xs data.Set[[]float64], weights []float64, workers int) (*gradientSums, error) {
	var heavy []int
	for i := range xs.Len() {
		if model.Weight(weights, i) != 0 {
			heavy = append(heavy, i)
		}
	}
	if heavy == nil {
		return nil, fmt.Errorf("mahalanobis: the weights of the %d rows are 0: at least one must be positive", xs.Len())
	}
	sums := make([]*gradientSums, min(gradients.Lanes, len(heavy)))
	for lane := range sums {
		sums[lane] = newGradientSums(f)
	}
	err := gradients.Each(ctx, f, slope, data.Subset(xs, heavy), workers, func(lane int, rows []int, gradients *mat.Dense) {
		of := make([]float64, len(rows))
		for at, i := range rows {
			of[at] = model.Weight(weights, heavy[i])
		}
		sums[lane].add(of, gradients)
	})
	if err != nil {
		return nil, err
	}
	out := newGradientSums(f)
	for _, s := range sums {
		out.total += s.total
		out.outer.AddSym(out.outer, s.outer)
		floats.Add(out.means, s.means)
	}
	out.outer.ScaleSym(1/out.total, out.outer)
	floats.Scale(1/out.total, out.means)
	return out, nil
}
