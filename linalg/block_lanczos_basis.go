package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"example.org/mercer/internal/simd"
)

// project stores WVᵀ in coef and subtracts the projection WVᵀ·V from the rows W; the
// rows of V are orthonormal.
func (y *blockLanczos) project(w, v, coef blas64.General) {
	if v.Rows == 0 {
		return
	}
	y.level3.Gemm(blas.NoTrans, blas.Trans, 1, w, v, 0, coef)
	y.level3.Gemm(blas.NoTrans, blas.NoTrans, -1, coef, v, 1, w)
}

// orthonormalise replaces the rows W, from which their projection on the rows V has been
// taken, by orthonormal Q and returns the lower triangular L of W = L·Q. What rounding
// left of the projection is taken off once the rows have length 1. Where a row depends
// on V and those before it, up to the rounding of a product with A, Q has a random
// vector and the column of L is zero.
func (y *blockLanczos) orthonormalise(w, v blas64.General) blas64.General {
	first := y.triangularise(w, v, 64*0x1p-52*y.scale)
	y.project(w, v, newGeneral(w.Rows, v.Rows))
	second := y.triangularise(w, v, dependent*dependent)
	l := newGeneral(w.Rows, w.Rows)
	serial.Gemm(blas.NoTrans, blas.NoTrans, 1, first, second, 0, l)
	return l
}

// dependent is the length that is left of a unit vector below which the factorisation of
// its inner products with others is too inaccurate.
const dependent = 1e-4

// triangularise replaces W by Q with orthonormal rows, W = L·Q: by the Cholesky
// factorisation of the inner products of rows of length 1, or row by row where that
// fails. Rows of which no more than the negligible length is left are dependent.
//
// Stathopoulos and Wu, A block orthogonalization procedure with constant
// synchronization requirements, SIAM J. Sci. Comput. 23 (2002).
func (y *blockLanczos) triangularise(w, v blas64.General, negligible float64) blas64.General {
	rows := w.Rows
	l, length := newGeneral(rows, rows), make([]float64, rows)
	y.level3.Gemm(blas.NoTrans, blas.Trans, 1, w, w, 0, l)
	for i := range rows {
		if length[i] = math.Sqrt(l.Data[i*rows+i]); length[i] <= negligible {
			return y.rowByRow(w, v, negligible)
		}
	}
	for i := range rows {
		for j := range i + 1 {
			l.Data[i*rows+j] /= length[i] * length[j]
		}
	}
	for i := range rows {
		r := row(l, i)
		clear(r[i+1:])
		for j := range i + 1 {
			sum := r[j]
			for p := range j {
				sum -= r[p] * l.Data[j*rows+p]
			}
			if j < i {
				r[j] = sum / l.Data[j*rows+j]
				continue
			}
			if !(sum > dependent*dependent) {
				return y.rowByRow(w, v, negligible)
			}
			r[i] = math.Sqrt(sum)
		}
	}
	for i := range rows {
		for j := range i + 1 {
			l.Data[i*rows+j] *= length[i]
		}
	}
	y.level3.Trsm(blas.Left, blas.NoTrans, 1, blas64.Triangular{N: rows, Stride: rows, Data: l.Data, Uplo: blas.Lower, Diag: blas.NonUnit}, w)
	return l
}

// rowByRow is triangularise by Gram and Schmidt's process, twice for every row.
func (y *blockLanczos) rowByRow(w, v blas64.General, negligible float64) blas64.General {
	l, coef := newGeneral(w.Rows, w.Rows), make([]float64, max(w.Rows, v.Rows))
	for i := range w.Rows {
		r := row(w, i)
		for range 2 {
			subtractRows(r, view(w, 0, 0, i, w.Cols), coef[:i])
			for j, c := range coef[:i] {
				l.Data[i*l.Stride+j] -= c
			}
		}
		length := blas64.Nrm2(vector(r))
		l.Data[i*l.Stride+i] = length
		for length <= negligible {
			l.Data[i*l.Stride+i] = 0
			y.randomise(r)
			for range 2 {
				subtractRows(r, v, coef[:v.Rows])
				subtractRows(r, view(w, 0, 0, i, w.Cols), coef[:i])
			}
			length = blas64.Nrm2(vector(r))
		}
		blas64.Scal(1/length, vector(r))
	}
	return l
}

// subtractRows takes off x its projection on the orthonormal rows of q, and stores the
// negative coefficients in coef.
func subtractRows(x []float64, q blas64.General, coef []float64) {
	simd.DotRows(coef, q.Data, q.Stride, x)
	for i := range coef {
		coef[i] = -coef[i]
	}
	simd.AddRows(x, q.Data, q.Stride, coef)
}
