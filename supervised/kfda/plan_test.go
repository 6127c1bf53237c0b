package kfda_test

import (
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/space"
	"example.org/mercer/supervised/kfda"
)

// A plan counts what its solver holds: the matrix, half of it, or a quarter.
func TestPlanCountsWhatIsHeld(t *testing.T) {
	m := compute.Machine{Workers: 2, GemmRate: 1e10, CopyRate: 1e9, ReadRate: 1e9, PairRate: 1e7}
	const whole = 8 * 2000 * 2000
	for _, c := range []struct {
		solver    space.Solver
		precision compute.Precision
		least     int64
	}{{space.Cholesky, compute.Double, whole}, {space.Packed, compute.Double, whole / 2}, {space.Packed, compute.Single, whole / 4}, {space.CG, compute.Double, whole / 2}} {
		p := kfda.Plan(kfda.Work{Rows: 2000, Columns: 5, Classes: 3, Solver: c.solver, Precision: c.precision}, m)
		if p.Solver != string(c.solver) || p.Memory < c.least || p.Memory > c.least+whole/2 {
			t.Errorf("plan of %s in %s precision: %v", c.solver, c.precision, p)
		}
		for _, other := range p.Alternatives {
			if other.Hint == p.Hint {
				t.Errorf("%s is an alternative to itself", p.Solver)
			}
		}
	}
}
