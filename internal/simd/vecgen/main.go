// Command vecgen writes the assembly under the tiles of kernels on vectors: one file of
// exponentials, one of square roots and one of statistics of panels, each with its Go
// declarations.
//
//	go run . -what exp -out ../exp_amd64.s -stubs ../exp_amd64_gen.go -pkg simd
//	go run . -what sqrt -out ../sqrt_amd64.s -stubs ../sqrt_amd64_gen.go -pkg simd
//	go run . -what distance -out ../distance_amd64.s -stubs ../distance_amd64_gen.go -pkg simd
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	what := flag.String("what", "", "exp, sqrt or distance")
	flag.Parse()
	ConstraintExpr("amd64,!purego,!noasm")
	switch *what {
	case "exp":
		exponential()
	case "sqrt":
		squareRoots()
	case "distance":
		panels()
		squaredDistances()
	default:
		panic("-what must be exp, sqrt or distance")
	}
	Generate()
}
