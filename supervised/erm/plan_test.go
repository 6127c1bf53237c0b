package erm_test

import (
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
)

func TestPlan(t *testing.T) {
	m := compute.Machine{Workers: 2, GemmRate: 1e10, CopyRate: 1e9, ReadRate: 1e9, PairRate: 1e7}
	seconds := 0.0
	for _, l := range []loss.Loss{loss.Squared{}, loss.Logistic{}, loss.Absolute{}, loss.Huber{}, loss.Tukey{}} {
		p := erm.Plan(erm.Work{Rows: 2000, Columns: 5, Losses: []loss.Loss{l}}, m)
		if p.Solver != "cholesky" || p.Memory < 8*2000*2000 || p.Memory > 9*2000*2000 || p.Flops <= seconds {
			t.Errorf("%s: %v", l, p)
		}
		seconds = p.Flops
	}
	p := erm.Plan(erm.Work{Rows: 2000, Features: 5, Losses: []loss.Loss{loss.Absolute{}, loss.Tukey{}}}, m)
	if p.Solver != "primal" || len(p.Alternatives) != 4 || p.Rough == "" {
		t.Errorf("%v", p)
	}
}
