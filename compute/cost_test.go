package compute

import (
	"testing"

	"example.org/mercer/internal/testkit"
)

// Times by hand for n = 1000 on a machine with round rates: 10¹⁰ flop/s, 10¹⁰ B/s and
// 10⁸ pairs/s.
func TestCostsOfFactorsByHand(t *testing.T) {
	m, n := testMachine(), 1000
	m.SingleGemmRate, m.SinglePairRate = 2*m.GemmRate, 2*m.PairRate
	for _, c := range []struct {
		cost           Cost
		memory, keeps  int64
		flops, seconds float64
	}{
		{PackedFactorCost(n, Single, m), 8000, 8000, 1e9 / 3, 1. / 60},
		{FactorCost(n, m), 8000, 8000, 1e9 / 3, 1./30 + 4e6/1e10},
		{PackedFactorCost(n, Double, m), 8000, 8000, 1e9 / 3, 1. / 30},
		{SolveCost(n, 200, m), 1_600_000 + 1_600_000, 1_600_000, 4e8, 0.04},
		{SolveCost(n, 1, m), 16_000, 8000, 2e6, 8e6 / 1e10}, // reading the factor takes longer
		{InverseDiagCost(n, m), 2 * 8000 * 256, 8000, 1e9 / 3, 1. / 30},
		{EigenCost(n, m), 32_000_000, 8_000_000, 5e9, 0.5},
		{PathCost(n, 1, 9, m), 8000 * 11, 8000, 4e7, 0.004},
	} {
		if c.cost.Memory != c.memory || c.cost.Keeps != c.keeps {
			t.Errorf("%s: %d bytes, keeps %d; want %d, %d", c.cost.Stage, c.cost.Memory, c.cost.Keeps, c.memory, c.keeps)
		}
		testkit.Close(t, c.cost.Stage+": flops", c.cost.Flops, c.flops, 1e-12)
		testkit.Close(t, c.cost.Stage+": seconds", c.cost.Seconds/c.seconds, 1, 1e-12)
	}
}
