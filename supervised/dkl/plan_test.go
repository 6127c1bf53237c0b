package dkl_test

import (
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/supervised/dkl"
)

// The cost of learning grows with the number of steps, as the cube of the rows, and its memory as
// their square.
func TestPlan(t *testing.T) {
	m := compute.Machine{PairRate: 1e8, GemmRate: 1e10, Workers: 2}
	o := dkl.Options{Steps: 50}
	one, two := o.Plan(1000, m), o.Plan(2000, m)
	if two.Flops != 8*one.Flops || two.Memory != 4*one.Memory || !(two.Seconds > 4*one.Seconds) || !(two.Seconds < 8*one.Seconds) {
		t.Errorf("plans %+v and %+v", one, two)
	}
	if more := (&dkl.Options{}).Plan(1000, m); more.Flops != 2*one.Flops {
		t.Errorf("100 steps, which are the default, take %v multiplications, and 50 take %v", more.Flops, one.Flops)
	}
}
