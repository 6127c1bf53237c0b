package pca

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
)

// krylov returns the leading singular values of A and its right singular vectors in rows,
// from the span of [AΠ, (AAᵀ)AΠ, …, (AAᵀ)^q AΠ].
func krylov(ctx context.Context, a rows, o *Options) ([]float64, *mat.Dense, error) {
	n, d := a.dims()
	width, count := o.block(n, d)
	start, err := a.mul(ctx, gaussian(d, width, o.Seed))
	if err != nil {
		return nil, nil, err
	}
	basis, err := subspace(n, width, count, o, start, func(block *mat.Dense) (*mat.Dense, error) {
		back, err := a.mulT(ctx, block)
		if err != nil {
			return nil, err
		}
		return a.mul(ctx, back)
	})
	if err != nil {
		return nil, nil, err
	}
	projected, err := a.mulT(ctx, basis)
	if err != nil {
		return nil, nil, err
	}
	return decompose(ctx, mat.DenseCopyOf(projected.T()), linalg.Options{Workers: o.Compute.WorkerCount()})
}

// gaussian returns d×width independent standard normal numbers.
func gaussian(d, width int, seed uint64) *mat.Dense {
	rnd := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	out := mat.NewDense(d, width, nil)
	out.Apply(func(int, int, float64) float64 { return rnd.NormFloat64() }, out)
	return out
}

// subspace returns an orthonormal basis of the span of a block of so many vectors and of what
// an operator makes of it again and again. Every block is orthonormalised before it is multiplied,
// which does not change the span in exact arithmetic.
func subspace(size, width, count int, o *Options, block *mat.Dense, apply func(*mat.Dense) (*mat.Dense, error)) (*mat.Dense, error) {
	basis := mat.NewDense(size, width*count, nil)
	told := o.Compute.Meter("krylov", int64(count))
	for i := range count {
		if i > 0 {
			var err error
			if block, err = apply(block); err != nil {
				return nil, err
			}
		}
		orthonormalise(block)
		basis.Slice(0, size, i*width, (i+1)*width).(*mat.Dense).Copy(block)
		told.Add(1)
	}
	orthonormalise(basis)
	return basis, nil
}

// orthonormalise replaces the columns of q, no more than rows, by orthonormal ones of
// the same span (Householder).
func orthonormalise(q *mat.Dense) {
	raw := q.RawMatrix()
	tau, work := make([]float64, raw.Cols), []float64{0}
	lapack64.Geqrf(raw, tau, work, -1)
	work = make([]float64, max(raw.Cols, int(work[0])))
	lapack64.Geqrf(raw, tau, work, len(work))
	lapack64.Orgqr(raw, tau, work, len(work))
}
