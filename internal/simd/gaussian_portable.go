//go:build !amd64 || purego || noasm

package simd

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
