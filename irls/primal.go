package irls

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/kernel"
	"mercer/linalg"
	"mercer/linalg/level3"
)

// featureRows is the number of rows whose features are held at a time.
const featureRows = 256

// primal is the space of f = ⟨w, φ(·) − φ̄⟩ with an explicit feature map φ, less its
// mean φ̄ over the rows where there is an intercept, which the constants take up.
// Covectors are vectors of the feature space.
type primal[T any] struct {
	of        kernel.Mapped[T]
	xs        data.Set[T]
	mean      []float64
	block     *mat.Dense // of features that are computed in every pass
	held      *mat.Dense // Φ less the mean; nil where it is not held
	dim       int
	ridge     float64
	intercept bool
	o         linalg.Options
}

// NewPrimal returns the space of an explicit feature map of dim dimensions. Features
// are held, 8nD bytes, or computed in blocks of rows for every pass, with the same bits.
// weights, or nil for ones, are those of the mean.
func NewPrimal[T any](ctx context.Context, k kernel.Mapped[T], xs data.Set[T], dim int, weights []float64, ridge float64, intercept, held bool, o linalg.Options) (Space, error) {
	s := &primal[T]{of: k, xs: xs, dim: dim, ridge: ridge, intercept: intercept, o: o,
		mean: make([]float64, dim), block: mat.NewDense(min(featureRows, xs.Len()), dim, nil)}
	if intercept {
		if err := s.center(ctx, weights); err != nil {
			return nil, err
		}
	}
	var err error
	if held {
		s.held, err = s.all(ctx)
	}
	return s, err
}

// center sets the mean.
func (s *primal[T]) center(ctx context.Context, weights []float64) error {
	sum, total := make([]float64, s.dim), 0.0
	err := s.each(ctx, func(from, to int, phi *mat.Dense) {
		for i := from; i < to; i++ {
			w := 1.0
			if weights != nil {
				w = weights[i]
			}
			total += w
			for d, v := range phi.RawRowView(i - from) {
				sum[d] += w * v
			}
		}
	})
	for d := range sum {
		s.mean[d] = sum[d] / total
	}
	return err
}

// each calls do with the rows from … to−1 of Φ, less the mean, in the rows of phi, which
// do may not change.
func (s *primal[T]) each(ctx context.Context, do func(from, to int, phi *mat.Dense)) error {
	for from := 0; from < s.xs.Len(); from += featureRows {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+featureRows, s.xs.Len())
		if s.held != nil {
			do(from, to, s.held.Slice(from, to, 0, s.dim).(*mat.Dense))
			continue
		}
		phi := s.block.Slice(0, to-from, 0, s.dim).(*mat.Dense)
		raw := phi.RawMatrix()
		kernel.MapRows(s.of, kernel.Tile{Rows: raw.Rows, Cols: raw.Cols, Stride: raw.Stride, Data: raw.Data}, s.xs, from)
		for i := from; i < to; i++ {
			row := phi.RawRowView(i - from)
			for d, m := range s.mean {
				row[d] -= m
			}
		}
		do(from, to, phi)
	}
	return nil
}

// all returns Φ less the mean.
func (s *primal[T]) all(ctx context.Context) (*mat.Dense, error) {
	if s.held != nil {
		return s.held, nil
	}
	all := mat.NewDense(s.xs.Len(), s.dim, nil)
	err := s.each(ctx, func(from, to int, phi *mat.Dense) {
		all.Slice(from, to, 0, s.dim).(*mat.Dense).Copy(phi)
	})
	return all, err
}

func (s *primal[T]) Dims() (rows, coordinates int) { return s.xs.Len(), s.dim }
func (s *primal[T]) Ridge() float64                { return s.ridge }
func (s *primal[T]) Intercept() bool               { return s.intercept }

// Values is Φw: 2nDm flops.
func (s *primal[T]) Values(ctx context.Context, dst, theta *mat.Dense) error {
	_, m := theta.Dims()
	return s.each(ctx, func(from, to int, phi *mat.Dense) {
		part := dst.Slice(from, to, 0, m).(*mat.Dense)
		s.blas().Gemm(blas.NoTrans, blas.NoTrans, 1, phi.RawMatrix(), theta.RawMatrix(), 0, part.RawMatrix())
	})
}

func (s *primal[T]) blas() level3.Implementation {
	return level3.Implementation{Workers: s.o.Workers}
}

// Gradient is Φᵀg + Rw.
func (s *primal[T]) Gradient(ctx context.Context, dst, g, theta *mat.Dense) error {
	_, m := theta.Dims()
	dst.Scale(s.ridge, theta)
	return s.each(ctx, func(from, to int, phi *mat.Dense) {
		part := g.Slice(from, to, 0, m).(*mat.Dense)
		s.blas().Gemm(blas.Trans, blas.NoTrans, 1, phi.RawMatrix(), part.RawMatrix(), 1, dst.RawMatrix())
	})
}

func (s *primal[T]) Inner(covector, theta, _ *mat.Dense) float64 {
	return elementwise(covector, theta)
}

func (s *primal[T]) Norm2(_ context.Context, covector *mat.Dense) (float64, error) {
	return elementwise(covector, covector), nil
}

// Finish takes the mean out of the constants: b − ⟨w, φ̄⟩.
func (s *primal[T]) Finish(theta *mat.Dense, bias []float64) []float64 {
	out := slices.Clone(bias)
	for d, m := range s.mean {
		for c := range out {
			out[c] -= m * theta.At(d, c)
		}
	}
	return out
}

// Gram is ΦΦᵀ: n²D flops and n² numbers.
func (s *primal[T]) Gram(ctx context.Context) (*mat.SymDense, error) {
	n := s.xs.Len()
	k := mat.NewSymDense(n, nil)
	all, err := s.all(ctx)
	if err == nil {
		s.blas().Syrk(blas.NoTrans, 1, all.RawMatrix(), 0, k.RawSymmetric())
	}
	return k, err
}

// Weigh factors M = ΦᵀVΦ + R·I: nD² multiplications.
func (s *primal[T]) Weigh(ctx context.Context, v []float64) (Factor, error) {
	second := mat.NewSymDense(s.dim, nil)
	f := &primalFactor[T]{space: s}
	h, total := mat.NewDense(s.dim, 1, nil), 0.0
	weighted := mat.NewDense(min(featureRows, s.xs.Len()), s.dim, nil) // V^½Φ of a block
	err := s.each(ctx, func(from, to int, phi *mat.Dense) {
		for i := from; i < to; i++ {
			root, row := math.Sqrt(v[i]), phi.RawRowView(i-from)
			total += v[i]
			blas64.Axpy(v[i], vector(row), vector(h.RawMatrix().Data))
			floats.ScaleTo(weighted.RawRowView(i-from), root, row)
		}
		part := weighted.Slice(0, to-from, 0, s.dim).(*mat.Dense)
		s.blas().Syrk(blas.Trans, 1, part.RawMatrix(), 1, second.RawSymmetric())
	})
	if err != nil {
		return nil, err
	}
	if f.m, err = linalg.Factor(ctx, second, s.ridge, s.o); err != nil {
		return nil, err
	}
	if s.intercept {
		f.u = new(mat.Dense)
		if err := f.m.Solve(ctx, f.u, h); err != nil {
			return nil, err
		}
		f.h, f.schur = h.RawMatrix().Data, total-elementwise(h, f.u)
	}
	return f, nil
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// primalFactor solves with [M h; hᵀ 1ᵀv], h = Φᵀv.
type primalFactor[T any] struct {
	space *primal[T]
	m     *linalg.Cholesky
	h     []float64
	u     *mat.Dense // M⁻¹h
	schur float64    // 1ᵀv − hᵀM⁻¹h
}

func (f *primalFactor[T]) Solve(ctx context.Context, covector *mat.Dense, beta []float64) (*mat.Dense, []float64, error) {
	theta := new(mat.Dense)
	if err := f.m.Solve(ctx, theta, covector); err != nil {
		return nil, nil, err
	}
	if f.u == nil {
		return theta, nil, nil
	}
	bias := slices.Clone(beta)
	for d, h := range f.h {
		for c, t := range theta.RawRowView(d) {
			bias[c] -= h * t
		}
	}
	for c := range bias {
		bias[c] /= f.schur
	}
	for d := range f.h {
		row, u := theta.RawRowView(d), f.u.At(d, 0)
		for c, b := range bias {
			row[c] -= u * b
		}
	}
	return theta, bias, nil
}

// Variances is φᵢᵀM⁻¹φᵢ + (1 − uᵀφᵢ)²/schur.
func (f *primalFactor[T]) Variances(ctx context.Context, dst []float64) error {
	var failed error
	err := f.space.each(ctx, func(from, to int, phi *mat.Dense) {
		solved := new(mat.Dense)
		if err := f.m.Solve(ctx, solved, mat.DenseCopyOf(phi.T())); err != nil {
			failed = err
			return
		}
		for i := from; i < to; i++ {
			row := phi.RawRowView(i - from)
			dst[i] = 0
			for d, v := range row {
				dst[i] += v * solved.At(d, i-from)
			}
			if f.u != nil {
				along := 1 - dot(row, f.u.RawMatrix().Data)
				dst[i] += along * along / f.schur
			}
		}
	})
	if failed != nil {
		return failed
	}
	return err
}

// Features returns the explicit feature map of a kernel and its dimension on points
// like these; ok is false where there is none.
func Features[T any](k kernel.Kernel[T], xs data.Set[T]) (of kernel.Mapped[T], dim int, ok bool) {
	if of, ok = k.(kernel.Mapped[T]); !ok || xs.Len() == 0 {
		return nil, 0, false
	}
	dim, ok = of.Features(xs.At(0))
	return of, dim, ok
}
