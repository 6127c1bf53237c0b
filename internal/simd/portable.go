//go:build !amd64 || purego || noasm

package simd

func assembledGemm[F Float](Level) Gemm[F] { panic("simd: gemm: no assembly in this build") }

func assembledSolve[F Float](Level) Solve[F] { panic("simd: solve: no assembly in this build") }

func assembledSearch[F Float, I int32 | int64](Level) search[F, I] {
	panic("simd: nearest: no assembly in this build")
}

func assembledTransposition[F Float](Level) transposition[F] {
	panic("simd: transpose: no assembly in this build")
}

func assembledPeak[F Float](Level) peakSums[F] { panic("simd: peak: no assembly in this build") }

func affineAt[F Float](_ Level, dst, x []F, scale, shift F) { affinePlain(dst, x, scale, shift) }

func addAt[F Float](_ Level, dst, s, t []F) { addPlain(dst, s, t) }

func multiplyAt[F Float](_ Level, dst, s, t []F) { multiplyPlain(dst, s, t) }

func largerAt[F Float](_ Level, dst, s, t []F) { largerPlain(dst, s, t) }

func powersAt[F Float](_ Level, dst, x []F, n int) { powersPlain(dst, x, n) }

func hasBytes(Level) bool { return false }

func innerBytesAt(_ Level, dst []float64, stride, rows int, a, b []uint64, index []int32, size, count int) {
	innerBytesPlain(dst, stride, rows, a, b, index, size, count)
}

func hasCounts(Level) bool { return false }

func countProfileAt[F Float](_ Level, dst []F, stride, rows int, a, b []float64, size, count int, table *[Counts]F) {
	countProfilePlain(dst, stride, rows, a, b, size, count, table)
}

func decayAt(_ Level, dst, x []float32, rate float32) { exp32Plain(dst, x, -rate) }

func panelsAt[F Float](_ Level, s Statistic, dst []F, stride, rows int, a, b, w []F, d, count int) {
	panelsPlain(s, dst, stride, rows, a, b, w, d, count)
}

func fromNormsAt[F Float](_ Level, s, cols []F, row, kept F) bool {
	return fromNormsPlain(s, cols, row, kept)
}

func expAt(_ Level, dst, x []float64, scale float64) { expPlain(dst, x, scale) }

func exp32At(_ Level, dst, x []float32, scale float32) { exp32Plain(dst, x, scale) }

func hasExpDistances(Level) bool { return false }

func expDistancesAt(Level, []float64, int, []float64, []float64, []float64, []float64, int, int, float64) bool {
	panic("simd: distances: no assembly in this build")
}

func hasGaussians(Level) bool { return false }

func gaussiansAt(Level, []float32, int, []float32, []float32, []float32, []float32, int, int) bool {
	panic("simd: gaussians: no assembly in this build")
}

func gaussianFromInnerAt(_ Level, dst, s, colNorms []float32, row float32) bool {
	return gaussianFromInnerPlain(dst, s, colNorms, row)
}

func pairedGaussians([]float32, int, []float32, []float32, PairedNorms, PairedNorms, int, int, int) bool {
	panic("simd: gaussians: no assembly in this build")
}

func pairedHalfSquares(dst, a, b []float32, row, cols PairedNorms, d, count int) {
	pairedHalfSquaresPlain(dst, a, b, row, cols, d, count)
}

func innerListedAt[F Float](_ Level, dst []F, stride, rows int, a, b []F, index []int32, d, count int) {
	innerListedPlain(dst, stride, rows, a, b, index, d, count)
}

func logAt(_ Level, dst, x []float64, scale float64) { logPlain(dst, x, scale) }

func log1pAt(_ Level, dst, x []float64, scale float64) { log1pPlain(dst, x, scale) }

func squaredMixedAt[F Float](_ Level, dst []F, stride, rows int, a, b []F, numbers, categories, count int) {
	squaredMixedPlain(dst, stride, rows, a, b, numbers, categories, count)
}

func narrowAt(_ Level, dst []float32, x []float64) { narrowPlain(dst, x) }

func advanceAt(_ Level, g, rise []float64, ki, kj []float32, step float64) (at int, least float64) {
	return advancePlain(g, rise, ki, kj, step)
}

func partnerAt(_ Level, k []float32, g, fall, diag []float64, gi, kii, floor float64) Partner {
	return partnerPlain(k, g, fall, diag, gi, kii, floor)
}

func dotRowsAt[F Float](_ Level, s, a []F, lda int, x []F) { dotRowsPlain(s, a, lda, x) }

func addRowsAt[F Float](_ Level, y, a []F, lda int, w []F) { addRowsPlain(y, a, lda, w) }

func dotAddRowsAt[F Float](_ Level, s, y, a []F, lda int, x, w []F) {
	dotAddRowsPlain(s, y, a, lda, x, w)
}

func addRowsWideAt(Level, []float64, []float32, int, []float32, float64) int { return 0 }

func sincosAt(_ Level, sin, cos, x []float64, amplitude float64) {
	sincosPlain(sin, cos, x, amplitude)
}

func sparseInnerAt[F Float](_ Level, out []F, index []int32, value []F, b []F, d int) {
	sparseInnerPlain(out, index, value, b, d)
}

func sqrtAt(_ Level, dst, x []float64, scale float64) { sqrtPlain(dst, x, scale) }

func sqrt32At(_ Level, dst, x []float32, scale float32) { sqrt32Plain(dst, x, scale) }

func tanhAt(_ Level, dst, x []float64, scale float64) { tanhPlain(dst, x, scale) }

func whitenedNormsAt(_ Level, w *Whitenings, dst, x []float64, stride int) {
	whitenedNormsPlain(w, dst, x, stride)
}
