//go:build !amd64 || purego || noasm

package simd

func detect() Level { return Portable }
