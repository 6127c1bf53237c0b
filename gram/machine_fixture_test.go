package gram

import (
	"example.org/mercer/compute"
)

// testMachine has round rates, so that costs can be computed by hand.
func testMachine() compute.Machine {
	return compute.Machine{Workers: 2, GemmRate: 1e10, CopyRate: 1e10, ReadRate: 1e10, Cholesky: compute.Rate{Asymptote: 1e10}, Eigen: compute.Rate{Asymptote: 1e10}, PairRate: 1e8}
}
