package simd

// Products of a few rows of a matrix and vectors, n = len(x) or len(y) columns and
// len(s) or len(w) rows: row i of a begins at a[i·lda]. The bits of a sum depend on n
// and the level only, not on how many rows a call has.

// DotRows stores Σⱼ a[i·lda+j]·x[j] in s[i]: the product of the matrix and x.
func DotRows(s, a []float64, lda int, x []float64) {
	checkRows(len(s), len(x), a, lda)
	dotRowsAt(Best(), s, a, lda, x)
}

// AddRows adds Σᵢ w[i]·a[i·lda+j] to y[j]: the product of the transpose and w. The terms
// are added one after the other in ascending i.
func AddRows(y, a []float64, lda int, w []float64) {
	checkRows(len(w), len(y), a, lda)
	addRowsAt(Best(), y, a, lda, w)
}

// DotAddRows is [DotRows] and [AddRows] with one pass over a; s, x, y and w do not
// overlap. x and y have the same length, and so have s and w.
func DotAddRows(s, y, a []float64, lda int, x, w []float64) {
	if len(x) != len(y) || len(s) != len(w) {
		panic("simd: rows: vectors of different lengths")
	}
	checkRows(len(s), len(x), a, lda)
	dotAddRowsAt(Best(), s, y, a, lda, x, w)
}

// DotRows32 is [DotRows] for float32.
func DotRows32(s, a []float32, lda int, x []float32) {
	checkRows(len(s), len(x), a, lda)
	dotRowsAt(Best(), s, a, lda, x)
}

// AddRows32 is [AddRows] for float32.
func AddRows32(y, a []float32, lda int, w []float32) {
	checkRows(len(w), len(y), a, lda)
	addRowsAt(Best(), y, a, lda, w)
}

// DotAddRows32 is [DotAddRows] for float32.
func DotAddRows32(s, y, a []float32, lda int, x, w []float32) {
	if len(x) != len(y) || len(s) != len(w) {
		panic("simd: rows: vectors of different lengths")
	}
	checkRows(len(s), len(x), a, lda)
	dotAddRowsAt(Best(), s, y, a, lda, x, w)
}

// AddRowsWide adds scale·Σᵢ w[i]·a[i·lda+j] to y[j]: the terms are added one after the other in
// float32 in ascending i, and their sum to y in float64. scale is a power of 2.
func AddRowsWide(y []float64, a []float32, lda int, w []float32, scale float64) {
	checkRows(len(w), len(y), a, lda)
	addRowsWideOf(Best(), y, a, lda, w, scale)
}

// addRowsWideOf is AddRowsWide at a level: what is left of the columns by its loop, and all where
// it has none, goes through float32 in memory, with the same bits.
func addRowsWideOf(l Level, y []float64, a []float32, lda int, w []float32, scale float64) {
	if len(w) == 0 {
		return
	}
	var part [256]float32
	for j := addRowsWideAt(l, y, a, lda, w, scale); j < len(y); {
		sums := part[:min(len(part), len(y)-j)]
		clear(sums)
		addRowsAt(l, sums, a[j:], lda, w)
		for _, v := range sums {
			y[j] += float64(scale * float64(v))
			j++
		}
	}
}

func checkRows[F Float](rows, n int, a []F, lda int) {
	if rows > 0 && n > 0 && (lda < n || len(a) < (rows-1)*lda+n) {
		panic("simd: rows: a short matrix")
	}
}

// dotRowsPlain is [DotRows] in plain Go, with four sums that depend on nothing but n.
func dotRowsPlain[F Float](s, a []F, lda int, x []F) {
	for i := range s {
		r := a[i*lda:][:len(x)]
		var s0, s1, s2, s3 F
		j := 0
		for ; j+4 <= len(x); j += 4 {
			u, v := r[j:j+4:j+4], x[j:j+4:j+4]
			s0 += u[0] * v[0]
			s1 += u[1] * v[1]
			s2 += u[2] * v[2]
			s3 += u[3] * v[3]
		}
		for ; j < len(x); j++ {
			s0 += r[j] * x[j]
		}
		s[i] = (s0 + s2) + (s1 + s3)
	}
}

// addRowsPlain is [AddRows] in plain Go.
func addRowsPlain[F Float](y, a []F, lda int, w []F) {
	for i, c := range w {
		for j, v := range a[i*lda:][:len(y)] {
			y[j] += c * v
		}
	}
}

// dotAddRowsPlain is [DotAddRows] in plain Go: row by row, so that the second loop
// finds the row in the cache.
func dotAddRowsPlain[F Float](s, y, a []F, lda int, x, w []F) {
	for i := range s {
		dotRowsPlain(s[i:i+1], a[i*lda:], lda, x)
		addRowsPlain(y, a[i*lda:], lda, w[i:i+1])
	}
}
