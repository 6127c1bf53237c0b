package kfda

import (
	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/space"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Rows    int // n
	Columns int // numbers in a point; 0 where points are not vectors
	// Features is D where the fit is in explicit features, which are not counted, see
	// [space.Primal]; 0: it is not.
	Features int
	Classes  int
	// Solver and Precision are those of the system in the span of the rows: not Auto, which
	// [space.Direct] resolves; "": Cholesky.
	Solver    space.Solver
	Precision compute.Precision
	Limit     int64 // of memory, in bytes; 0: none
}

// Plan predicts stages, memory and time of [Fit] on a machine whose PairRate is that of the bound
// kernel.
func Plan(w Work, m compute.Machine) compute.Plan {
	if w.Features > 0 {
		c := gram.PrimalCost(w.Rows, w.Features, w.Classes, m)
		c.Stage, c.Memory = "discriminant", 16*int64(w.Features)*int64(w.Features+2*w.Classes)
		return compute.NewPlan("features", m, c)
	}
	systems := space.Systems{Rows: w.Rows, Columns: w.Columns, Solver: w.Solver, Precision: w.Precision, Sides: w.Classes + 1, Limit: w.Limit}
	return space.PlanOf(nil, false, systems.Plans(m, func(_ space.Systems, stages []compute.Cost) []compute.Cost {
		stages[len(stages)-1].Memory += 16 * int64(w.Rows) * int64(w.Classes) // indicators and values
		return stages
	}))
}
