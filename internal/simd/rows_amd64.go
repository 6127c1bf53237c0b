//go:build amd64 && !purego && !noasm

package simd

import "math/bits"

// rowLoops are the loops of a level for 1, 2, 4, … rows.
type rowLoops[F Float] struct {
	dot    []func(s, x, a *F, lda, n int)
	add    []func(y, w, a *F, lda, n int)
	dotAdd []func(s, x, y, w, a *F, lda, n int)
}

// rowTable holds them for all levels.
type rowTable[F Float] [AVX512 + 1]rowLoops[F]

// rowLoopsOf returns the loops of a level, which has assembly.
func rowLoopsOf[F Float](l Level) *rowLoops[F] {
	if t, ok := any(&rowLoops64).(*rowTable[F]); ok {
		return &t[l]
	}
	return &any(&rowLoops32).(*rowTable[F])[l]
}

var rowLoops64 = rowTable[float64]{
	AVX2: {
		dot:    []func(s, x, a *float64, lda, n int){dotRowsAVX2x1, dotRowsAVX2x2, dotRowsAVX2x4},
		add:    []func(y, w, a *float64, lda, n int){addRowsAVX2x1, addRowsAVX2x2, addRowsAVX2x4},
		dotAdd: []func(s, x, y, w, a *float64, lda, n int){dotAddRowsAVX2x1, dotAddRowsAVX2x2, dotAddRowsAVX2x4},
	},
	AVX512: {
		dot:    []func(s, x, a *float64, lda, n int){dotRowsAVX512x1, dotRowsAVX512x2, dotRowsAVX512x4, dotRowsAVX512x8},
		add:    []func(y, w, a *float64, lda, n int){addRowsAVX512x1, addRowsAVX512x2, addRowsAVX512x4, addRowsAVX512x8},
		dotAdd: []func(s, x, y, w, a *float64, lda, n int){dotAddRowsAVX512x1, dotAddRowsAVX512x2, dotAddRowsAVX512x4, dotAddRowsAVX512x8},
	},
}

var rowLoops32 = rowTable[float32]{
	AVX2: {
		dot:    []func(s, x, a *float32, lda, n int){dotRows32AVX2x1, dotRows32AVX2x2, dotRows32AVX2x4},
		add:    []func(y, w, a *float32, lda, n int){addRows32AVX2x1, addRows32AVX2x2, addRows32AVX2x4},
		dotAdd: []func(s, x, y, w, a *float32, lda, n int){dotAddRows32AVX2x1, dotAddRows32AVX2x2, dotAddRows32AVX2x4},
	},
	AVX512: {
		dot:    []func(s, x, a *float32, lda, n int){dotRows32AVX512x1, dotRows32AVX512x2, dotRows32AVX512x4, dotRows32AVX512x8},
		add:    []func(y, w, a *float32, lda, n int){addRows32AVX512x1, addRows32AVX512x2, addRows32AVX512x4, addRows32AVX512x8},
		dotAdd: []func(s, x, y, w, a *float32, lda, n int){dotAddRows32AVX512x1, dotAddRows32AVX512x2, dotAddRows32AVX512x4, dotAddRows32AVX512x8},
	},
}

// most returns the index of the loop for the largest power of two among count loops
// that left rows fill.
func most(count, left int) int { return min(count, bits.Len(uint(left))) - 1 }

func dotRowsAt[F Float](l Level, s, a []F, lda int, x []F) {
	if l == Portable || len(x) == 0 {
		dotRowsPlain(s, a, lda, x)
		return
	}
	loops := rowLoopsOf[F](l).dot
	for i := 0; i < len(s); {
		k := most(len(loops), len(s)-i)
		loops[k](&s[i], &x[0], &a[i*lda], lda, len(x))
		i += 1 << k
	}
}

func addRowsAt[F Float](l Level, y, a []F, lda int, w []F) {
	if l == Portable || len(y) == 0 {
		addRowsPlain(y, a, lda, w)
		return
	}
	loops := rowLoopsOf[F](l).add
	for i := 0; i < len(w); {
		k := most(len(loops), len(w)-i)
		loops[k](&y[0], &w[i], &a[i*lda], lda, len(y))
		i += 1 << k
	}
}

func dotAddRowsAt[F Float](l Level, s, y, a []F, lda int, x, w []F) {
	if l == Portable || len(x) == 0 {
		dotAddRowsPlain(s, y, a, lda, x, w)
		return
	}
	loops := rowLoopsOf[F](l).dotAdd
	for i := 0; i < len(s); {
		k := most(len(loops), len(s)-i)
		loops[k](&s[i], &x[0], &y[0], &w[i], &a[i*lda], lda, len(x))
		i += 1 << k
	}
}

// addRowsWideAt does as many of the columns as are whole registers of the loop, and returns their
// number.
func addRowsWideAt(l Level, y []float64, a []float32, lda int, w []float32, scale float64) int {
	n, loop := len(y)/64*64, addRowsWideAVX512
	if l == AVX2 {
		n, loop = len(y)/32*32, addRowsWideAVX2
	}
	if l == Portable || n == 0 {
		return 0
	}
	loop(&y[0], &w[0], &a[0], lda, len(w), n, scale)
	return n
}
