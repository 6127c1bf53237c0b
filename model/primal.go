package model

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
)

// Primal is the same function as an [Expansion] written in the D explicit features
// of a kernel with a finite map φ, where k(x, y) = ⟨φ(x), φ(y)⟩:
//
//	fⱼ(x) = bⱼ + ⟨wⱼ, φ(x)⟩,  wⱼ = Σᵢ αᵢⱼ φ(xᵢ).
//
// W holds the D×m weights, Bias the m numbers bⱼ (nil is zero), and Like a point of
// the shape that the map was sized for, usually the first training point. Predicting
// costs O(D·m) a point, however many points were learned from.
type Primal[T any] struct {
	Kernel kernel.Mapped[T]
	W      *mat.Dense
	Bias   []float64
	Like   T
}

// Check returns every reason for which p is not a function: a missing part, a
// kernel without a finite map, or numbers of features, weights and biases that do
// not agree.
func (p *Primal[T]) Check() error {
	if p.Kernel == nil {
		return fmt.Errorf("model: a primal function needs a kernel")
	}
	features, ok := p.Kernel.Features(p.Like)
	if !ok {
		return fmt.Errorf("model: kernel %s has no finite feature map: use an expansion over training points", p.Kernel)
	}
	return checkFunction(p.W, p.Bias, features, "W", "features")
}

// Outputs returns m, the number of functions.
func (p *Primal[T]) Outputs() int {
	_, m := p.W.Dims()
	return m
}

// Predict returns the len(xs)×m matrix fⱼ(xs[i]), O(D) memory for each worker. A row
// has the same bits for any number of workers and in whatever company it is
// predicted. Errors are those of [Expansion.Predict].
func (p *Primal[T]) Predict(ctx context.Context, xs data.Set[T], o compute.Options) (*mat.Dense, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := checkLengths(xs, p.Like); err != nil {
		return nil, err
	}
	if err := kernel.Validate[T](p.Kernel, xs); err != nil {
		return nil, err
	}
	if xs.Len() == 0 {
		return &mat.Dense{}, nil
	}
	features, m := p.W.Dims()
	out, w := mat.NewDense(xs.Len(), m, nil), columns(p.W)
	err := blocks(ctx, xs.Len(), o, func(from, to int) {
		phi := make([]float64, features)
		for i := from; i < to; i++ {
			p.Kernel.Map(phi, xs.At(i))
			for j := range m {
				out.Set(i, j, dot(phi, w[j]))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	addBias(out, p.Bias)
	return out, nil
}

// columns returns the columns of a as contiguous slices.
func columns(a *mat.Dense) [][]float64 {
	n, m := a.Dims()
	out := make([][]float64, m)
	for j := range out {
		out[j] = mat.Col(make([]float64, n), j, a)
	}
	return out
}

// dot returns Σᵢ xᵢyᵢ in the fixed order of the BLAS in use.
func dot(x, y []float64) float64 {
	return blas64.Dot(blas64.Vector{N: len(x), Inc: 1, Data: x}, blas64.Vector{N: len(y), Inc: 1, Data: y})
}

var _ Predictor[[]float64] = (*Primal[[]float64])(nil)

// weighedPoints is the number of points whose features [Expansion.Weigh] holds at a time.
const weighedPoints = 1024

// Weigh returns the expansion, which was found with the kernel k of explicit features, as weights
// of these, w = Φᵀα, for points like one of them: 2nDm flops and the features.
func (e *Expansion[T]) Weigh(ctx context.Context, k kernel.Mapped[T], like T, workers int) (*Primal[T], error) {
	dim, ok := k.Features(like)
	if !ok {
		return nil, fmt.Errorf("model: kernel %s has no finite feature map", k)
	}
	n, outputs := e.Coef.Dims()
	w := mat.NewDense(dim, outputs, nil)
	z := kernel.NewTile(min(weighedPoints, max(n, 1)), dim)
	for from := 0; from < n; from += weighedPoints {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+weighedPoints, n)
		z.Rows = to - from
		kernel.MapRows(k, z, e.Points, from)
		phi := blas64.General{Rows: z.Rows, Cols: dim, Stride: z.Stride, Data: z.Data}
		level3.Implementation{Workers: workers}.Gemm(blas.Trans, blas.NoTrans, 1, phi, e.Coef.Slice(from, to, 0, outputs).(*mat.Dense).RawMatrix(), 1, w.RawMatrix())
	}
	return &Primal[T]{Kernel: k, W: w, Bias: e.Bias, Like: like}, nil
}
