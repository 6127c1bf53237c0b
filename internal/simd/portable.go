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
