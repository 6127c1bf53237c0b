// Package roofline measures what share of the peak speed of the machine is reached by the work
// that kernel methods consist of: products of matrices, Cholesky factorisations and tiles of a
// kernel.
package roofline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// Achievement is how fast a piece of work runs, beside the peak of the machine: how fast
// its cores do fused multiply-adds on numbers that never leave their registers.
type Achievement struct {
	Work      string  `json:"work"`
	Precision string  `json:"precision"`
	Rate      float64 `json:"flops_per_second"`
	Peak      float64 `json:"peak_flops_per_second"`
	Share     float64 `json:"share"` // Rate / Peak
}

// Measure measures, in about a second, what share of the peak is reached. In both precisions that
// is by products of matrices, square and thin, by Cholesky factorisations and by tiles of a kernel;
// in double precision also by a product of that kernel's matrix with a vector. Of the kernel
// perPair floating-point operations are counted per element.
//
// The name is that of the picture of Williams, Waterman and Patterson, Roofline: an
// insightful visual performance model for multicore architectures, CACM 52 (2009).
func Measure(ctx context.Context, p kernel.Pairs, perPair float64, o compute.Options) ([]Achievement, error) {
	r := &roofline{ctx: ctx, pairs: p, perPair: perPair, options: o}
	l3 := level3.Implementation{Workers: o.WorkerCount()}
	r.precision(compute.Double, peakRate[float64](o.WorkerCount()), thinAndSquare(l3.Dgemm), factorDouble)
	r.precision(compute.Single, peakRate[float32](o.WorkerCount()), thinAndSquare(l3.Sgemm), factorSingle)
	return r.list, r.failure
}

// roofline collects achievements until a failure or the end of ctx.
type roofline struct {
	ctx     context.Context
	pairs   kernel.Pairs
	perPair float64
	options compute.Options
	list    []Achievement
	failure error
}

// Add measures the fastest of a few runs, each after a preparation that takes no part.
func (r *roofline) Add(work string, p compute.Precision, peak, flops float64, prepare func(), run func() error) {
	elapsed := math.Inf(1)
	for range 5 {
		if r.failure = errors.Join(r.failure, r.ctx.Err()); r.failure != nil {
			return
		}
		prepare()
		elapsed = min(elapsed, compute.Fastest(1, func() { r.failure = run() }))
	}
	r.achieved(work, p, peak, flops/elapsed)
}

func (r *roofline) achieved(work string, p compute.Precision, peak, rate float64) {
	r.list = append(r.list, Achievement{Work: work, Precision: p.String(), Rate: rate, Peak: peak, Share: rate / peak})
}

// productShapes are what is multiplied: the second shape is that of Gram matrices.
var productShapes = [][3]int{{1024, 1024, 1024}, {2048, 2048, 100}}

// rooflineOrder is the order of the matrix that is factored.
const rooflineOrder = 2048

// precision measures everything at one precision.
func (r *roofline) precision(p compute.Precision, peak float64, product func(m, n, k int), factor func(ctx context.Context, n int, o linalg.Options) (prepare func(), run func() error)) {
	nothing := func() {}
	for _, s := range productShapes {
		r.Add(fmt.Sprintf("product %d×%d×%d", s[0], s[2], s[1]), p, peak, 2*float64(s[0])*float64(s[1])*float64(s[2]), nothing,
			func() error { product(s[0], s[1], s[2]); return nil })
	}
	prepare, run := factor(r.ctx, rooflineOrder, linalg.Options{Workers: r.options.Workers})
	r.Add(fmt.Sprintf("Cholesky %d", rooflineOrder), p, peak, compute.CholeskyFlops(rooflineOrder), prepare, run)
	if r.failure != nil {
		return
	}
	o := r.options
	o.Precision = p
	pairs, err := compute.PairRate(r.ctx, r.pairs, o)
	if r.failure = err; err != nil {
		return
	}
	r.achieved("tiles of the kernel", p, peak, pairs*r.perPair)
	if p == compute.Double {
		rows, cols := r.pairs.Dims()
		v, dst := mat.NewDense(cols, 1, nil), &mat.Dense{}
		r.Add(fmt.Sprintf("kernel %d×%d times a vector", rows, cols), p, peak, float64(rows)*float64(cols)*(r.perPair+2), nothing,
			func() error { return gram.Cross(r.pairs, o).Mul(r.ctx, dst, v) })
	}
}

// peakRate returns the flops per second of all workers together.
func peakRate[F simd.Float](workers int) float64 {
	const steps = 200_000 // about a millisecond
	sums := make([]int, workers)
	elapsed := compute.Fastest(5, func() {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() { sums[w] = len(simd.MultiplyAdds[F](0.5, 1, steps)) })
		}
		wg.Wait()
	})
	flops := 0.0
	for _, n := range sums {
		flops += 2 * steps * float64(n)
	}
	return flops / elapsed
}

// thinAndSquare returns what multiplies matrices of numbers near 1 in place.
func thinAndSquare[F simd.Float](gemm func(tA, tB blas.Transpose, m, n, k int, alpha F, a []F, lda int, b []F, ldb int, beta F, c []F, ldc int)) func(m, n, k int) {
	var factors, c []F
	return func(m, n, k int) {
		if len(c) != m*n || len(factors) < max(m, n)*k {
			c, factors = make([]F, m*n), make([]F, max(m, n)*k)
			for i := range factors {
				factors[i] = 1 - F(i%16)/16
			}
		}
		gemm(blas.NoTrans, blas.Trans, m, n, k, 1, factors, k, factors, k, 0, c, n)
	}
}

// trialTiles makes a packed matrix 2⁻¹⁰ everywhere; with 1 more on the diagonal it is
// positive definite.
func trialTiles[F simd.Float](count int, tile func(i, j int) (rows, cols, stride int, data []F)) {
	for i := range count {
		for j := range i + 1 {
			_, _, _, data := tile(i, j)
			for k := range data {
				data[k] = 0x1p-10
			}
		}
	}
}

// factorDouble returns what prepares and what factors a matrix of order n.
func factorDouble(ctx context.Context, n int, o linalg.Options) (prepare func(), run func() error) {
	p, shift := linalg.NewPacked(n), ones(n)
	return func() { trialTiles(p.TileCount(), p.Tile) }, func() error {
		_, err := linalg.FactorPackedDiag(ctx, p, shift, o)
		return err
	}
}

// factorSingle is [factorDouble] in single precision.
func factorSingle(ctx context.Context, n int, o linalg.Options) (prepare func(), run func() error) {
	p, shift := linalg.NewPackedSingle(n), ones(n)
	return func() { trialTiles(p.TileCount(), p.Tile) }, func() error {
		_, err := linalg.FactorPackedSingle(ctx, p, shift, o)
		return err
	}
}

func ones(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	return x
}
