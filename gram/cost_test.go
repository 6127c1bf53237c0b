package gram

import (
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
)

// Times by hand for n = 1000 on a machine with round rates: 10¹⁰ flop/s, 10¹⁰ B/s and
// 10⁸ pairs/s.
func TestCostsByHand(t *testing.T) {
	m, n := testMachine(), 1000
	m.SingleGemmRate, m.SinglePairRate = 2*m.GemmRate, 2*m.PairRate
	for _, c := range []struct {
		cost           compute.Cost
		memory, keeps  int64
		flops, seconds float64
	}{
		{DenseGramCost(n, m), 8_000_000, 8_000_000, 0, 500_500/1e8 + 4e6/1e10},
		// 3 full tiles of 256 and a rest of 232 rows: 6·256² + 232·1000 numbers.
		{PackedGramCost(n, compute.Double, m), 5_001_728, 5_001_728, 0, 500_500/1e8 + 5_001_728/1e10},
		{PackedGramCost(n, compute.Single, m), 2_500_864, 2_500_864, 0, 500_500/2e8 + 2_500_864/1e10},
		// 40 000 multiply-adds of features and 30 of targets and coefficients.
		{PrimalCost(n, 10, 2, m), 80_000 + 800, 160, 1000*10*14 + 2*100*2 + 1000./3, (140_400 + 1000./3) / 1e10},
	} {
		if c.cost.Memory != c.memory || c.cost.Keeps != c.keeps {
			t.Errorf("%s: %d bytes, keeps %d; want %d, %d", c.cost.Stage, c.cost.Memory, c.cost.Keeps, c.memory, c.keeps)
		}
		testkit.Close(t, c.cost.Stage+": flops", c.cost.Flops, c.flops, 1e-12)
		testkit.Close(t, c.cost.Stage+": seconds", c.cost.Seconds/c.seconds, 1, 1e-12)
	}
}

// An iteration of conjugate gradients costs one pass over the kernel, so their time is
// proportional to their number up to building the preconditioner.
func TestConjugateGradientCostGrowsWithIterations(t *testing.T) {
	m := testMachine()
	cost := func(products int) compute.Cost {
		return ConjugateGradientCost(5000, 2, Iteration{Rank: 100, Double: products}, m)
	}
	ten, twenty, thirty := cost(10), cost(20), cost(30)
	testkit.Close(t, "seconds of ten more iterations", thirty.Seconds-twenty.Seconds, twenty.Seconds-ten.Seconds, 1e-12)
	if ten.Memory != thirty.Memory || ten.Memory >= 8*5000*5000/4 {
		t.Errorf("memory of 10 iterations is %d bytes, of 30 %d; it must not depend on them and stay far below n²", ten.Memory, thirty.Memory)
	}
	if twenty.Seconds-ten.Seconds < 10*12_502_500/1e8 {
		t.Errorf("ten iterations take %v s, less than ten passes over the kernel", twenty.Seconds-ten.Seconds)
	}
	held := ConjugateGradientCost(5000, 2, Iteration{Rank: 100, Double: 3, Single: 20, Held: true}, m)
	streamed := ConjugateGradientCost(5000, 2, Iteration{Rank: 100, Double: 3, Single: 20}, m)
	// 20 passes over the kernel; reading 2n² bytes takes less than the arithmetic.
	testkit.Close(t, "seconds saved by held tiles", streamed.Seconds-held.Seconds, 20*12_502_500/1e8, 1e-12)
}
