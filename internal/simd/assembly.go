//go:build amd64 && !purego && !noasm

package simd

func assembledGemm(l Level) Gemm {
	if l == AVX512 {
		return Gemm{Level: l, Rows: 8, Cols: 24, kernel: gemm8x24AVX512}
	}
	return Gemm{Level: l, Rows: 4, Cols: 12, kernel: gemm4x12AVX2}
}

func assembledSolve(l Level) Solve {
	if l == AVX512 {
		return Solve{Level: l, Width: 64, kernel: solve64AVX512}
	}
	return Solve{Level: l, Width: 32, kernel: solve32AVX2}
}
