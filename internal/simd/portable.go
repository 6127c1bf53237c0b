//go:build !amd64 || purego || noasm

package simd

func assembledGemm(Level) Gemm { panic("simd: gemm: no assembly in this build") }

func assembledSolve(Level) Solve { panic("simd: solve: no assembly in this build") }
