package nystrom_test

import (
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
)

func TestSelectCost(t *testing.T) {
	m := compute.Machine{GemmRate: 1e6, ReadRate: 1e6, PairRate: 1e4}
	for name, c := range map[string]struct {
		o       nystrom.Options
		memory  int64
		flops   float64
		seconds float64
	}{
		"pivots":          {nystrom.Options{Rank: 10}, 8 * 1000 * 10, 1000 * 100, 3.5*0.1 + 1},
		"greedy":          {nystrom.Options{Rank: 10, Scheme: nystrom.Greedy}, 8 * 1000 * 10, 1000 * 100, 4*1e5/1e6 + 1},
		"among few":       {nystrom.Options{Rank: 10, Among: 50}, 8 * 50 * 10, 50 * 100, 3.5*0.005 + 0.05},
		"more than there": {nystrom.Options{Rank: 10, Among: 5}, 8 * 5 * 5, 5 * 25, 3.5*125e-6 + 25e-4},
		"uniform":         {nystrom.Options{Rank: 10, Scheme: nystrom.Uniform}, 0, 0, 0},
		"does not fit":    {nystrom.Options{Rank: 10, Compute: compute.Options{MaxMemory: 79999}}, 0, 0, 0},
	} {
		got := nystrom.SelectCost(1000, c.o, m)
		if got.Memory != c.memory || got.Flops != c.flops || got.Seconds < c.seconds*(1-1e-15) || got.Seconds > c.seconds*(1+1e-15) {
			t.Errorf("%s: %d bytes, %v flops and %v s; want %d, %v and %v", name, got.Memory, got.Flops, got.Seconds, c.memory, c.flops, c.seconds)
		}
	}
}
