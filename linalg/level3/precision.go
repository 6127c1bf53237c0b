package level3

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
)

// precision is what differs between numbers of two widths.
type precision[F simd.Float] struct {
	gonum        reference[F]
	rows         rowProducts[F]
	microkernel  func() simd.Gemm[F]
	substitution func() simd.Solve[F]
	// buffers keeps packed blocks between products: fresh memory costs more than packing.
	buffers sync.Pool
}

// reference holds the routines of gonum, for small work and wrong arguments.
type reference[F simd.Float] struct {
	gemm func(tA, tB blas.Transpose, m, n, k int, alpha F, a []F, lda int, b []F, ldb int, beta F, c []F, ldc int)
	symm func(s blas.Side, ul blas.Uplo, m, n int, alpha F, a []F, lda int, b []F, ldb int, beta F, c []F, ldc int)
	syrk func(ul blas.Uplo, tA blas.Transpose, n, k int, alpha F, a []F, lda int, beta F, c []F, ldc int)
	trmm func(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha F, a []F, lda int, b []F, ldb int)
	trsm func(s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha F, a []F, lda int, b []F, ldb int)
}

var plain gonum.Implementation

var (
	double = newPrecision(reference[float64]{plain.Dgemm, plain.Dsymm, plain.Dsyrk, plain.Dtrmm, plain.Dtrsm}, rowProducts[float64]{simd.DotRows, simd.AddRows})
	single = newPrecision(reference[float32]{plain.Sgemm, plain.Ssymm, plain.Ssyrk, plain.Strmm, plain.Strsm}, rowProducts[float32]{simd.DotRows32, simd.AddRows32})
)

// rowProducts multiply some rows of a matrix, or their transpose, with a vector: their bits depend
// neither on the place of a row nor on how many there are.
type rowProducts[F simd.Float] struct {
	dot func(s, a []F, lda int, x []F)
	add func(y, a []F, lda int, w []F)
}

func newPrecision[F simd.Float](r reference[F], rows rowProducts[F]) *precision[F] {
	return &precision[F]{
		gonum:        r,
		rows:         rows,
		microkernel:  sync.OnceValue(func() simd.Gemm[F] { return simd.GemmAt[F](simd.Best()) }),
		substitution: sync.OnceValue(func() simd.Solve[F] { return simd.SolveAt[F](simd.Best()) }),
		buffers:      sync.Pool{New: func() any { return new([]F) }},
	}
}

// buffer returns n arbitrary numbers. Give them back to buffers.
func (p *precision[F]) buffer(n int) *[]F {
	b := p.buffers.Get().(*[]F)
	if cap(*b) < n {
		*b = make([]F, n)
	}
	*b = (*b)[:n]
	return b
}

// by returns the routines with a number of goroutines, 0 for GOMAXPROCS.
func (p *precision[F]) by(workers int) routines[F] { return routines[F]{p, workers} }

// routines are those of level 3, of one precision.
type routines[F simd.Float] struct {
	*precision[F]
	most int // goroutines
}

// sharedFlops is the size of a product below which goroutines cost more than they give.
const sharedFlops = 4 << 20

// workers returns how many goroutines a product of so many multiply-adds deserves.
func (r routines[F]) workers(m, n, k int) int {
	if 2*float64(m)*float64(n)*float64(k) < sharedFlops {
		return 1
	}
	return parallel.Workers(r.most)
}
