//go:build !amd64 || purego || noasm

package simd

func dotRowsAt(_ Level, s, a []float64, lda int, x []float64) { dotRowsPlain(s, a, lda, x) }

func addRowsAt(_ Level, y, a []float64, lda int, w []float64) { addRowsPlain(y, a, lda, w) }

func dotAddRowsAt(_ Level, s, y, a []float64, lda int, x, w []float64) {
	dotAddRowsPlain(s, y, a, lda, x, w)
}
