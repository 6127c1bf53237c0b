// Command gen writes the assembly of internal/simd. It is a module of its own so that
// its tools are no dependency of mercer. See the go:generate line of internal/simd.
package main

import (
	. "github.com/mmcloughlin/avo/build"
)

func main() {
	ConstraintExpr("amd64,!purego,!noasm")
	gemm(avx512, 8, 3)
	gemm(avx2, 4, 3)
	solve(avx512)
	solve(avx2)
	Generate()
}
