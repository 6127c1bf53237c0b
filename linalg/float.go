package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"example.org/mercer/internal/simd"
)

// float is a width of arithmetic: Cholesky factors exist at both.
type float interface{ float32 | float64 }

// general is a row-major matrix of either width. general[float64] and
// [blas64.General] convert into one another.
type general[F float] struct {
	Rows, Cols int
	Data       []F
	Stride     int
}

// newMatrix returns an r×c matrix of zeros.
func newMatrix[F float](r, c int) general[F] {
	return general[F]{Rows: r, Cols: c, Stride: max(1, c), Data: make([]F, r*c)}
}

// row returns row i.
func (g general[F]) row(i int) []F { return g.Data[i*g.Stride : i*g.Stride+g.Cols] }

// view returns the r×c block whose first element is (i, j).
func (g general[F]) view(i, j, r, c int) general[F] {
	if r == 0 || c == 0 {
		return general[F]{Rows: r, Cols: c, Stride: g.Stride}
	}
	start := i*g.Stride + j
	return general[F]{Rows: r, Cols: c, Stride: g.Stride, Data: g.Data[start : start+(r-1)*g.Stride+c]}
}

// square returns the leading n×n block.
func (g general[F]) square(n int) general[F] { return g.view(0, 0, n, n) }

// copyFrom stores src, which has the same shape.
func (g general[F]) copyFrom(src general[F]) {
	for i := range g.Rows {
		copy(g.row(i), src.row(i))
	}
}

// transpose stores srcᵀ in dst, rounded where dst is narrower.
func transpose[F, G float](dst general[F], src general[G]) {
	const edge = 16 // 16×16 numbers of both sides stay in the first level cache
	for i0 := 0; i0 < dst.Rows; i0 += edge {
		for j0 := 0; j0 < dst.Cols; j0 += edge {
			j1 := min(j0+edge, dst.Cols)
			for i := i0; i < min(i0+edge, dst.Rows); i++ {
				d := dst.Data[i*dst.Stride : i*dst.Stride+j1]
				for j := j0; j < j1; j++ {
					d[j] = F(src.Data[j*src.Stride+i])
				}
			}
		}
	}
}

// The level 3 of both widths. Each takes the path of its width; what is not float64 is
// float32.

// gemm computes C ← αA·op(B) + βC.
func gemm[F float](op blas.Transpose, alpha F, a, b general[F], beta F, c general[F]) {
	if c, ok := any(c).(general[float64]); ok {
		serial.Gemm(blas.NoTrans, op, float64(alpha), double(a), double(b), float64(beta), blas64.General(c))
		return
	}
	s, t, u := single(a), single(b), single(c)
	serial.Sgemm(blas.NoTrans, op, u.Rows, u.Cols, s.Cols, float32(alpha), s.Data, s.Stride, t.Data, t.Stride, float32(beta), u.Data, u.Stride)
}

// subtractSquare computes the lower triangle of C ← C − A·Aᵀ.
func subtractSquare[F float](c, a general[F]) {
	if c, ok := any(c).(general[float64]); ok {
		serial.Syrk(blas.NoTrans, -1, double(a), 1, blas64.Symmetric{Uplo: blas.Lower, N: c.Rows, Stride: c.Stride, Data: c.Data})
		return
	}
	s, t := single(c), single(a)
	serial.Ssyrk(blas.Lower, blas.NoTrans, s.Rows, t.Cols, -1, t.Data, t.Stride, 1, s.Data, s.Stride)
}

// divideBy computes B ← B·op(L)⁻¹ for the lower triangular tile l.
func divideBy[F float](b general[F], op blas.Transpose, l general[F]) {
	if b, ok := any(b).(general[float64]); ok {
		serial.Trsm(blas.Right, op, 1, lower(double(l)), blas64.General(b))
		return
	}
	s, t := single(b), single(l)
	serial.Strsm(blas.Right, blas.Lower, op, blas.NonUnit, s.Rows, s.Cols, 1, t.Data, t.Stride, s.Data, s.Stride)
}

// dotRows stores A·x in s.
func dotRows[F float](s []F, a general[F], x []F) {
	if s, ok := any(s).([]float64); ok {
		simd.DotRows(s, double(a).Data, a.Stride, any(x).([]float64))
		return
	}
	simd.DotRows32(any(s).([]float32), single(a).Data, a.Stride, any(x).([]float32))
}

// addRows computes y ← y + Aᵀ·w.
func addRows[F float](y []F, a general[F], w []F) {
	if y, ok := any(y).([]float64); ok {
		simd.AddRows(y, double(a).Data, a.Stride, any(w).([]float64))
		return
	}
	simd.AddRows32(any(y).([]float32), single(a).Data, a.Stride, any(w).([]float32))
}

func double[F float](g general[F]) blas64.General { return blas64.General(any(g).(general[float64])) }

func single[F float](g general[F]) general[float32] { return any(g).(general[float32]) }
