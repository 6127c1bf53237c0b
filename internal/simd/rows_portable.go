//go:build !amd64 || purego || noasm

package simd

func dotRowsAt[F Float](_ Level, s, a []F, lda int, x []F) { dotRowsPlain(s, a, lda, x) }

func addRowsAt[F Float](_ Level, y, a []F, lda int, w []F) { addRowsPlain(y, a, lda, w) }

func dotAddRowsAt[F Float](_ Level, s, y, a []F, lda int, x, w []F) {
	dotAddRowsPlain(s, y, a, lda, x, w)
}

func addRowsWideAt(Level, []float64, []float32, int, []float32, float64) int { return 0 }
