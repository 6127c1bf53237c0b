package compute_test

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// A plan of dense kernel ridge regression on 20 640 points, on a machine that was
// calibrated elsewhere, and its refusal under a limit.
func ExampleCheckMemory() {
	m := compute.Machine{Workers: 2, GemmRate: 2e10, CopyRate: 3e9, ReadRate: 1e10, Cholesky: compute.Rate{Asymptote: 2e10, HalfSize: 300}, PairRate: 9e7}
	const n = 20640
	packed := compute.NewPlan("packed", m, gram.PackedGramCost(n, compute.Double, m), compute.PackedFactorCost(n, compute.Double, m), compute.SolveCost(n, 1, m))
	packed.Hint = "--solver packed"
	dense := compute.NewPlan("cholesky", m, gram.DenseGramCost(n, m), compute.FactorCost(n, m), compute.SolveCost(n, 1, m))
	dense.Alternatives = []compute.Plan{packed}
	fmt.Print(dense)
	limit, err := compute.ParseBytes("2GiB")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(compute.CheckMemory(dense, limit))
	// Output:
	// solver cholesky: peak memory 3.21 GiB, time about 2 min 33 s on 2 workers
	//   stage         peak memory    flops        time
	//   gram (dense)     3.17 GiB        -       2.9 s
	//   factor           3.17 GiB  2.9e+12  2 min 29 s
	//   solve            3.17 GiB  8.5e+08      341 ms
	// alternatives:
	//   --solver packed  1.62 GiB  2 min 32 s
	// solver cholesky needs 3.21 GiB, more than the limit of 2.00 GiB; within the limit are:
	//   --solver packed  1.62 GiB  2 min 32 s
}
