package compute

// testMachine has round rates, so that costs can be computed by hand.
func testMachine() Machine {
	return Machine{Workers: 2, GemmRate: 1e10, CopyRate: 1e10, ReadRate: 1e10, Cholesky: Rate{Asymptote: 1e10}, Eigen: Rate{Asymptote: 1e10}, PairRate: 1e8}
}
