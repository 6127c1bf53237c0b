package linalg

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// leafSize is the order below which a tile is factored by loops over single numbers.
// Above it the recursion turns all work into matrix products.
const leafSize = 32

// lower returns the lower triangle of g.
func lower(g blas64.General) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: g.Rows, Stride: g.Stride, Data: g.Data}
}

// fewRows is the number of rows up to which a product is made row by row: level 2 reads
// the matrix from the cache once per row, level 3 would pack all of it first.
const fewRows = 3

// subtractProduct computes C ← C − A·op(B).
func subtractProduct(c, a blas64.General, op blas.Transpose, b blas64.General) {
	subtract(general[float64](c), general[float64](a), op, general[float64](b))
}

// subtract is [subtractProduct] at either width.
func subtract[F float](c, a general[F], op blas.Transpose, b general[F]) {
	switch {
	case c.Rows == 0 || c.Cols == 0 || a.Cols == 0:
	case c.Rows <= fewRows:
		for i := range c.Rows {
			subtractRow(c.row(i), a.row(i), op, b)
		}
	default:
		gemm(op, -1, a, b, 1, c)
	}
}

// subtractRow computes y ← y − x·op(B) for rows y and x.
func subtractRow[F float](y, x []F, op blas.Transpose, b general[F]) {
	pool := rowPool[F]()
	work := pool.Get().(*[]F)
	defer pool.Put(work)
	if most := max(len(x), len(y)); cap(*work) < most {
		*work = make([]F, most)
	}
	if op == blas.Trans {
		s := (*work)[:len(y)]
		dotRows(s, b, x)
		for i, v := range s {
			y[i] -= v
		}
		return
	}
	minus := (*work)[:len(x)]
	for i, v := range x {
		minus[i] = -v
	}
	addRows(y, b, minus)
}

// rowPools keep the rows that [subtractRow] works on: fresh ones would be garbage of
// some percent of the matrix.
var rowPools = struct{ single, double sync.Pool }{
	sync.Pool{New: func() any { s := make([]float32, tileSize); return &s }},
	sync.Pool{New: func() any { s := make([]float64, tileSize); return &s }},
}

func rowPool[F float]() *sync.Pool {
	if _, ok := any(F(0)).(float32); ok {
		return &rowPools.single
	}
	return &rowPools.double
}

// factorTile replaces the lower triangle of the square tile a by its Cholesky factor.
// The strict upper triangle is neither read nor written. If a pivot is not a positive
// finite number it returns its index and value.
//
//	┌ A₁₁     ┐   L₁₁ = chol(A₁₁), L₂₁ = A₂₁·L₁₁⁻ᵀ, L₂₂ = chol(A₂₂ − L₂₁·L₂₁ᵀ)
//	└ A₂₁ A₂₂ ┘
func factorTile[F float](a general[F]) (pivot int, value float64, ok bool) {
	n := a.Rows
	if n <= leafSize {
		return factorLeaf(a)
	}
	h := n / 2
	a11, a21, a22 := a.view(0, 0, h, h), a.view(h, 0, n-h, h), a.view(h, h, n-h, n-h)
	if p, v, ok := factorTile(a11); !ok {
		return p, v, false
	}
	divideTrans(a21, a11)
	subtractSquare(a22, a21)
	p, v, ok := factorTile(a22)
	return h + p, v, ok
}

func factorLeaf[F float](a general[F]) (pivot int, value float64, ok bool) {
	for i := range a.Rows {
		ri := a.Data[i*a.Stride : i*a.Stride+i+1]
		for j := range i {
			rj := a.Data[j*a.Stride : j*a.Stride+j+1]
			s := ri[j]
			for k, v := range rj[:j] {
				s -= v * ri[k]
			}
			ri[j] = s / rj[j]
		}
		s := ri[i]
		for _, v := range ri[:i] {
			s -= v * v
		}
		if !(s > 0) || math.IsInf(float64(s), 1) {
			return i, float64(s), false
		}
		ri[i] = F(math.Sqrt(float64(s)))
	}
	return 0, 0, true
}

// divideTrans computes B ← B·L⁻ᵀ for the lower triangular tile l: each row b of B
// becomes the solution x of L·x = b.
func divideTrans[F float](b, l general[F]) { divideBy(b, blas.Trans, l) }

// divide computes B ← B·L⁻¹ for the lower triangular tile l: each row b of B becomes
// the solution x of Lᵀ·x = b.
func divide[F float](b, l general[F]) { divideBy(b, blas.NoTrans, l) }
