package pca

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// krylov returns the leading singular values of A and its right singular vectors in rows,
// from the span of [AΠ, (AAᵀ)AΠ, …, (AAᵀ)^q AΠ]. Every block is orthonormalised before the
// next product, which does not change the span in exact arithmetic.
func krylov(ctx context.Context, a rows, o *Options) ([]float64, *mat.Dense, error) {
	n, d := a.dims()
	width, count := o.block(n, d)
	rnd := rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15))
	start := mat.NewDense(d, width, nil)
	start.Apply(func(int, int, float64) float64 { return rnd.NormFloat64() }, start)
	block, err := a.mul(ctx, start)
	if err != nil {
		return nil, nil, err
	}
	basis := mat.NewDense(n, width*count, nil)
	for i := range count {
		if i > 0 {
			back, err := a.mulT(ctx, block)
			if err != nil {
				return nil, nil, err
			}
			if block, err = a.mul(ctx, back); err != nil {
				return nil, nil, err
			}
		}
		orthonormalise(block)
		basis.Slice(0, n, i*width, (i+1)*width).(*mat.Dense).Copy(block)
		if o.Compute.Progress != nil {
			o.Compute.Progress("krylov", int64(i+1), int64(count))
		}
	}
	orthonormalise(basis)
	projected, err := a.mulT(ctx, basis)
	if err != nil {
		return nil, nil, err
	}
	return decompose(ctx, mat.DenseCopyOf(projected.T()), o.Compute.WorkerCount())
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
