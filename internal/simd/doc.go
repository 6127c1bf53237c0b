// Package simd holds the innermost loops in assembly, with a plain Go twin for each,
// and picks among them for the machine at hand.
//
// # Levels
//
// A [Level] is a set of instructions that a routine may count on. [Best] is the highest
// that the processor and the system support. The environment variable MERCER_SIMD, read
// once, lowers it: off (Go only), avx2 or avx512; other values, and levels that the
// machine lacks, change nothing. Build tags purego and noasm leave only Go. Each
// routine has an implementation for [Portable] and may have others.
//
// Results are the same bits in every run at one level. Levels differ from one another
// in the last bits, because they fuse multiplications and additions or do not.
//
// # Assembly
//
// The files *_amd64.s and their declarations *_amd64_gen.go are written by the module in
// gen and checked in.
package simd

//go:generate go run -C gen .
