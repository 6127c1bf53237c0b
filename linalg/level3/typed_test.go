package level3

import (
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"example.org/mercer/internal/testkit"
)

// TestTyped compares each typed call with that of blas64, whose arguments it takes.
func TestTyped(t *testing.T) {
	rng := testkit.Rand(t, 8)
	general := func(r, c int) blas64.General {
		x := guarded[float64](rng, r, c, 1)
		return blas64.General{Rows: r, Cols: c, Stride: x.ld, Data: x.data}
	}
	impl := Implementation{}
	a, b, c := general(40, 30), general(50, 40), general(30, 50)
	want := blas64.General{Rows: 30, Cols: 50, Stride: c.Stride, Data: append([]float64(nil), c.Data...)}
	impl.Gemm(blas.Trans, blas.Trans, 2, a, b, 1, c)
	blas64.Gemm(blas.Trans, blas.Trans, 2, a, b, 1, want)
	same(t, matrix[float64]{data: c.Data, ld: c.Stride}, matrix[float64]{data: want.Data, ld: want.Stride}, 40, 100)

	s := blas64.Symmetric{Uplo: blas.Lower, N: 30, Stride: 30, Data: make([]float64, 900)}
	w := blas64.Symmetric{Uplo: blas.Lower, N: 30, Stride: 30, Data: make([]float64, 900)}
	impl.Syrk(blas.Trans, 1, a, 0, s)
	blas64.Syrk(blas.Trans, 1, a, 0, w)
	same(t, matrix[float64]{data: s.Data, ld: 30}, matrix[float64]{data: w.Data, ld: 30}, 40, 100)

	l := oneTriangle[float64](rng, 50, blas.Upper, blas.NonUnit)
	u := blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: 50, Stride: l.ld, Data: l.data}
	impl.Trsm(blas.Right, blas.NoTrans, 1, u, c)
	blas64.Trsm(blas.Right, blas.NoTrans, 1, u, want)
	same(t, matrix[float64]{data: c.Data, ld: c.Stride}, matrix[float64]{data: want.Data, ld: want.Stride}, 90, 100)
}
