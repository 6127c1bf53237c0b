package gp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// indefinite is the size of the smallest eigenvalue, relative to the order and the
// variances, below which a covariance is not positive semidefinite up to rounding.
const indefinite = 1e-10

// Sample draws count vectors from N(mean, covariance), one column each: mean + C^½z with the
// symmetric root C^½ and independent standard normal z. Unlike a Cholesky factor the root
// exists for singular covariances, such as those at training points without noise, so
// that nothing is added to the diagonal; eigenvalues that rounding made negative are
// zero. The stream of z is that of the seed, column by column. O(m³) flops.
func Sample(ctx context.Context, mean []float64, covariance *mat.SymDense, count int, seed uint64, o compute.Options) (*mat.Dense, error) {
	return draw(ctx, mean, covariance, largestVariance(covariance), count, seed, o)
}

func largestVariance(covariance *mat.SymDense) float64 {
	most := 0.0
	for i := range covariance.SymmetricDim() {
		most = max(most, covariance.At(i, i))
	}
	return most
}

// draw is Sample for a covariance with rounding errors relative to scale: a posterior's
// are relative to the prior variances.
func draw(ctx context.Context, mean []float64, covariance *mat.SymDense, scale float64, count int, seed uint64, o compute.Options) (*mat.Dense, error) {
	m := len(mean)
	if covariance.SymmetricDim() != m || m == 0 || count < 1 {
		return nil, fmt.Errorf("gp: %d samples at %d points with the covariance of %d: each must be at least one, and the last two agree", count, m, covariance.SymmetricDim())
	}
	e, err := linalg.EigenSym(ctx, covariance, linalg.Options{Workers: o.Workers})
	if err != nil {
		return nil, fmt.Errorf("gp: sampling: %w", err)
	}
	if least := e.Values[0]; least < -indefinite*float64(m)*scale {
		return nil, fmt.Errorf("gp: the covariance has the eigenvalue %.3g beside variances up to %.3g: it is not positive semidefinite, so the kernel is not on these points", least, scale)
	}
	random := rand.New(rand.NewPCG(seed, sampleStream))
	z := mat.NewDense(m, count, nil)
	for j := range count {
		for i := range m {
			z.Set(i, j, random.NormFloat64())
		}
	}
	product, out := level3.Implementation{Workers: o.Workers}, mat.NewDense(m, count, nil)
	along := mat.NewDense(m, count, nil)
	product.Gemm(blas.Trans, blas.NoTrans, 1, e.Vectors.RawMatrix(), z.RawMatrix(), 0, along.RawMatrix())
	for i, v := range e.Values {
		root := math.Sqrt(max(0, v))
		for j, row := 0, along.RawRowView(i); j < count; j++ {
			row[j] *= root
		}
	}
	product.Gemm(blas.NoTrans, blas.NoTrans, 1, e.Vectors.RawMatrix(), along.RawMatrix(), 0, out.RawMatrix())
	for i, v := range mean {
		for j, row := 0, out.RawRowView(i); j < count; j++ {
			row[j] += v
		}
	}
	return out, nil
}

// sampleStream tells the stream of samples from those of other uses of a seed.
const sampleStream = 0x67705f73616d706c
