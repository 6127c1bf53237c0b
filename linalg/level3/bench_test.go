package level3

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"example.org/mercer/internal/simd"
	"example.org/mercer/internal/testkit"
)

// BenchmarkLevel3 measures products and what is made of them: square ones, those of Gram
// matrices with few columns, and those of a blocked Cholesky factorization.
func BenchmarkLevel3(b *testing.B) {
	b.Run("float=64", benchmarkLevel3[float64])
	b.Run("float=32", benchmarkLevel3[float32])
}

func benchmarkLevel3[F simd.Float](b *testing.B) {
	by := []struct {
		name string
		reference[F]
	}{
		{"gonum", public[F](gonum.Implementation{})},
		{"mercer/workers=1", public[F](Implementation{Workers: 1})},
		{"mercer/workers=all", public[F](Implementation{})},
	}
	for _, s := range [][3]int{{16, 16, 16}, {64, 64, 64}, {256, 256, 256}, {1000, 1000, 1000}, {2000, 4000, 100}} {
		m, n, k := s[0], s[1], s[2]
		x, y, z := guarded[F](testkit.Rand(b, 1), m, k, 0), guarded[F](testkit.Rand(b, 2), n, k, 0), make([]F, m*n)
		for _, by := range by {
			measure(b, fmt.Sprintf("gemm/m=%d/n=%d/k=%d/by=%s", m, n, k, by.name), 2*float64(m)*float64(n)*float64(k), func() {
				by.gemm(blas.NoTrans, blas.Trans, m, n, k, 1, x.data, k, y.data, k, 0, z, n)
			})
		}
	}
	const order, rows = 256, 1024
	triangle, x := oneTriangle[F](testkit.Rand(b, 3), order, blas.Lower, blas.NonUnit), guarded[F](testkit.Rand(b, 4), rows, order, 0)
	square := make([]F, rows*rows)
	for _, by := range by {
		measure(b, fmt.Sprintf("syrk/n=%d/k=%d/by=%s", rows, order, by.name), rows*rows*order, func() {
			by.syrk(blas.Lower, blas.NoTrans, rows, order, -1, x.data, order, 0, square, rows)
		})
	}
	for _, by := range by {
		measure(b, fmt.Sprintf("trsm/m=%d/n=%d/by=%s", rows, order, by.name), rows*order*order, func() {
			by.trsm(blas.Right, blas.Lower, blas.NoTrans, blas.NonUnit, rows, order, 1, triangle.data, triangle.ld, x.data, order)
			for i := range x.data { // a solution of a solution of … underflows
				x.data[i] = 1
			}
		})
	}
}

// measure reports the speed of a routine that takes so many additions and
// multiplications.
func measure(b *testing.B, name string, flops float64, run func()) {
	b.Run(name, func(b *testing.B) {
		for b.Loop() {
			run()
		}
		b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
	})
}
