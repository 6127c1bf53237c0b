package linalg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg/level3"
)

// Orthonormal returns an orthonormal basis of the columns of a tall matrix (n×k), up to
// rounding, in columns: k of them, fewer where these are dependent, and none (an empty matrix)
// where all are zero. About 8nk² flops, and three matrices of the size.
func Orthonormal(x *mat.Dense, o Options) *mat.Dense {
	q, _ := tallSkinny{level3Of(o)}.orthonormal(x.RawMatrix(), 0)
	if q.Cols == 0 {
		return new(mat.Dense)
	}
	return asDense(q)
}

// tallSkinny works on blocks of a few long columns.
type tallSkinny struct{ level3 level3.Implementation }

// orthonormal returns Q, whose columns are orthonormal and span those of Y up to rounding, and
// S = QᵀY, so that Y = QS. Q has fewer columns than Y where these are dependent, and none where
// Y is zero; what is no longer than least counts as zero. About 8nk² flops for n×k where they
// are not.
//
// Inner products show what is left of a column, when the span of others is taken off it, down to
// the square root of rounding. So columns are taken in rounds: first those of which a share of
// [dependent] is left, then what these leave of the others.
func (t tallSkinny) orthonormal(y blas64.General, least float64) (q, s blas64.General) {
	length := columnLengths(y)
	var open []int // columns that Q does not span yet
	for j, v := range length {
		if v > least {
			open = append(open, j)
		}
	}
	for len(open) > 0 {
		w := someColumns(y, open)
		if q.Cols > 0 {
			t.projectOut(w, q)
			t.projectOut(w, q)
			var fresh []int
			for i, left := range columnLengths(w) {
				if left > max(least, 64*0x1p-52*length[open[i]]) {
					fresh = append(fresh, i)
				}
			}
			if open = pick(open, fresh); len(open) == 0 {
				break
			}
			w = someColumns(w, fresh)
		}
		w, taken := t.triangularise(w)
		if q.Cols > 0 {
			t.projectOut(w, q)
		}
		w, again := t.triangularise(w) // for the rounding of the first
		q = concatColumns(q, w)
		taken = pick(open, pick(taken, again))
		open = slices.DeleteFunc(open, func(j int) bool { return slices.Contains(taken, j) })
	}
	if q.Cols > 0 {
		s = t.inner(q, y)
	}
	return q, s
}

// inner returns XᵀY.
func (t tallSkinny) inner(x, y blas64.General) blas64.General {
	out := newGeneral(x.Cols, y.Cols)
	t.level3.Gemm(blas.Trans, blas.NoTrans, 1, x, y, 0, out)
	return out
}

// product returns XY.
func (t tallSkinny) product(x, y blas64.General) blas64.General {
	out := newGeneral(x.Rows, y.Cols)
	t.level3.Gemm(blas.NoTrans, blas.NoTrans, 1, x, y, 0, out)
	return out
}

// add adds alpha·XC to Y.
func (t tallSkinny) add(y blas64.General, alpha float64, x, c blas64.General) {
	t.level3.Gemm(blas.NoTrans, blas.NoTrans, alpha, x, c, 1, y)
}

// projectOut subtracts from W its projection on the orthonormal columns of Q.
func (t tallSkinny) projectOut(w, q blas64.General) { t.add(w, -1, q, t.inner(q, w)) }

// triangularise returns an orthonormal basis of the independent columns of W, and says which
// these are: with WᵀW = LLᵀ it is WL⁻ᵀ.
//
// Stathopoulos and Wu, A block orthogonalization procedure with constant
// synchronization requirements, SIAM J. Sci. Comput. 23 (2002).
func (t tallSkinny) triangularise(w blas64.General) (basis blas64.General, taken []int) {
	taken, l := independent(t.inner(w, w), dependent*dependent)
	return t.whiten(w, taken, l), taken
}

// whiten returns WL⁻ᵀ for some columns of W.
func (t tallSkinny) whiten(w blas64.General, columns []int, l blas64.General) blas64.General {
	out := someColumns(w, columns)
	t.level3.Trsm(blas.Right, blas.Trans, 1, lower(l), out)
	return out
}

// independent factors a matrix of inner products, of which it reads the lower triangle, one vector
// after the other: LLᵀ is the part of those that are taken. Vectors of whose square no more than a
// share is left are not.
func independent(w blas64.General, share float64) (taken []int, l blas64.General) {
	full := newGeneral(w.Rows, w.Rows)
	for i := range w.Rows {
		r, left := row(full, len(taken)), w.Data[i*w.Stride+i]
		for j, at := range taken {
			sum := w.Data[i*w.Stride+at]
			for p, v := range row(full, j)[:j] {
				sum -= v * r[p]
			}
			r[j] = sum / full.Data[j*full.Stride+j]
			left -= r[j] * r[j]
		}
		if left > share*w.Data[i*w.Stride+i] {
			r[len(taken)] = math.Sqrt(left)
			taken = append(taken, i)
		}
	}
	return taken, view(full, 0, 0, len(taken), len(taken))
}

// columnLengths returns the Euclidean norms of columns.
func columnLengths(x blas64.General) []float64 {
	length := make([]float64, x.Cols)
	for i := range x.Rows {
		for j, v := range row(x, i) {
			length[j] += v * v
		}
	}
	for j, v := range length {
		length[j] = math.Sqrt(v)
	}
	return length
}

// someColumns returns a copy of columns.
func someColumns(x blas64.General, columns []int) blas64.General {
	out := newGeneral(x.Rows, len(columns))
	for i := range x.Rows {
		from, to := row(x, i), row(out, i)
		for j, c := range columns {
			to[j] = from[c]
		}
	}
	return out
}

// concatColumns returns the columns of x and y; x may have none.
func concatColumns(x, y blas64.General) blas64.General {
	if x.Cols == 0 {
		return y
	}
	out := newGeneral(x.Rows, x.Cols+y.Cols)
	copyTo(view(out, 0, 0, x.Rows, x.Cols), x)
	copyTo(view(out, 0, x.Cols, x.Rows, y.Cols), y)
	return out
}

// pick returns elements of a list.
func pick(list, at []int) []int {
	out := make([]int, len(at))
	for i, v := range at {
		out[i] = list[v]
	}
	return out
}
