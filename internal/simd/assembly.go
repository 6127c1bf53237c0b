//go:build amd64 && !purego && !noasm

package simd

// Rows of tables belong to levels: Portable has none.
var (
	gemms = [...]Gemm[float64]{
		AVX2:   {Level: AVX2, Rows: 4, Cols: 12, kernel: gemmAVX2, strided: gemmStridedAVX2},
		AVX512: {Level: AVX512, Rows: 8, Cols: 24, kernel: gemmAVX512, strided: gemmStridedAVX512},
	}
	gemms32 = [...]Gemm[float32]{
		AVX2:   {Level: AVX2, Rows: 4, Cols: 24, kernel: gemm32AVX2, strided: gemmStrided32AVX2},
		AVX512: {Level: AVX512, Rows: 8, Cols: 48, kernel: gemm32AVX512, strided: gemmStrided32AVX512},
	}
	solves = [...]Solve[float64]{
		AVX2:   {Level: AVX2, Width: 12, kernel: solveAVX2},
		AVX512: {Level: AVX512, Width: 24, kernel: solveAVX512},
	}
	solves32 = [...]Solve[float32]{
		AVX2:   {Level: AVX2, Width: 24, kernel: solve32AVX2},
		AVX512: {Level: AVX512, Width: 48, kernel: solve32AVX512},
	}
	peaks = [...]peakSums[float64]{
		AVX2:   {count: 48, kernel: multiplyAddsAVX2},
		AVX512: {count: 96, kernel: multiplyAddsAVX512},
	}
	peaks32 = [...]peakSums[float32]{
		AVX2:   {count: 96, kernel: multiplyAdds32AVX2},
		AVX512: {count: 192, kernel: multiplyAdds32AVX512},
	}
	searches         = [...]search[float64, int64]{AVX2: nearestAVX2, AVX512: nearestAVX512}
	searches32       = [...]search[float32, int32]{AVX2: nearest32AVX2, AVX512: nearest32AVX512}
	transpositions   = [...]transposition[float64]{AVX2: {4, transposeAVX2}, AVX512: {8, transposeAVX512}}
	transpositions32 = [...]transposition[float32]{AVX2: {8, transpose32AVX2}, AVX512: {8, transpose32AVX2}}
)

func assembledGemm[F Float](l Level) Gemm[F] {
	if g, ok := any(gemms32[l]).(Gemm[F]); ok {
		return g
	}
	return any(gemms[l]).(Gemm[F])
}

func assembledSolve[F Float](l Level) Solve[F] {
	if s, ok := any(solves32[l]).(Solve[F]); ok {
		return s
	}
	return any(solves[l]).(Solve[F])
}

func assembledSearch[F Float, I int32 | int64](l Level) search[F, I] {
	if s, ok := any(searches32[l]).(search[F, I]); ok {
		return s
	}
	return any(searches[l]).(search[F, I])
}

func assembledTransposition[F Float](l Level) transposition[F] {
	if t, ok := any(transpositions32[l]).(transposition[F]); ok {
		return t
	}
	return any(transpositions[l]).(transposition[F])
}

func assembledPeak[F Float](l Level) peakSums[F] {
	if p, ok := any(peaks32[l]).(peakSums[F]); ok {
		return p
	}
	return any(peaks[l]).(peakSums[F])
}
